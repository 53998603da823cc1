package dev.holdfast.worker;

import dev.holdfast.agent.Agent;
import dev.holdfast.runtime.Machine;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.template.Size;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

/** One sandbox on this worker: its machine, its agent, and what the data plane must know of it. */
public final class LiveSandbox {

    /** Events can be missed: what is not said to run may run all the same. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    private final SandboxId id;
    private final Machine machine;
    private final boolean secured;
    private final NetworkPolicy network;
    private final Size size;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final ReentrantLock freezing = new ReentrantLock();
    private final Presence presence = new Presence();
    private volatile AgentLine line;
    private volatile boolean held;
    private volatile long saved;
    private Instant endAt;
    private Instant askedAt = Instant.EPOCH;
    private boolean running = true;
    private boolean inVain;
    private Optional<Duration> idleTimeout = Optional.empty();
    private long version = -1;

    LiveSandbox(
            SandboxId id,
            Machine machine,
            AgentLine line,
            boolean secured,
            NetworkPolicy network,
            Size size) {
        this.id = id;
        this.machine = machine;
        this.line = line;
        this.secured = secured;
        this.network = network;
        this.size = size;
    }

    public SandboxId id() {
        return id;
    }

    /** Where its user ports are reached from this host. */
    public InetAddress address() {
        return machine.address();
    }

    /** Its agent now; a line that broke is opened anew, with another one. */
    public Agent agent() {
        return line.agent();
    }

    /** Whether the data plane demands the access token. */
    public boolean isSecured() {
        return secured;
    }

    /** Whether user ports answer without the traffic token. */
    public boolean hasPublicTraffic() {
        return network.publicTraffic();
    }

    /** The host that a program on one of its ports shall see; empty for the caller's own. */
    public Optional<String> requestHost(int port) {
        return network.requestHost(port);
    }

    /** Whether it stands still to be paused: it answers nothing now, and perhaps never again. */
    public boolean isHeld() {
        return held;
    }

    /** Completes when the sandbox stops being live here: what still streams from it is cut then. */
    public CompletionStage<Void> gone() {
        return gone.minimalCompletionStage();
    }

    /** How much it may write. */
    public long diskLimit() {
        return size.diskBytes();
    }

    Size size() {
        return size;
    }

    AgentLine line() {
        return line;
    }

    void talkOver(AgentLine opened) {
        line = opened;
    }

    /**
     * Held while its state is written, and as long as it stands still for a pause: two checkpoints
     * of one machine would disturb each other.
     */
    ReentrantLock freezing() {
        return freezing;
    }

    void hold() {
        held = true;
    }

    void release() {
        held = false;
    }

    /** Its state is about to be written; called by who may. */
    void saves() {
        saved++;
    }

    /** How often its state was written, or begun to be. */
    long timesSaved() {
        return saved;
    }

    Machine machine() {
        return machine;
    }

    /** Who uses it now. */
    public Presence presence() {
        return presence;
    }

    /** How long it may be without anybody; empty: as long as it lives. */
    synchronized Optional<Duration> idleTimeout() {
        return idleTimeout;
    }

    /**
     * Whether its time is over and its row is to be asked about that now. In a passage, as in its
     * last capture, it cannot end, and is asked about seldom; so is one that was asked in vain.
     */
    synchronized boolean isToBeAsked(Instant now) {
        boolean rests = (!running || inVain) && askedAt.plus(ASK_AGAIN).isAfter(now);
        if (endAt.isAfter(now) || rests) {
            return false;
        }
        askedAt = now;
        inVain = false;
        return true;
    }

    /** It could not be ended or paused now. */
    synchronized void askedInVain() {
        inVain = true;
    }

    /** Takes what the row says, unless a later state of the row was seen before. */
    synchronized void follow(Sandbox row) {
        if (row.version() > version) {
            version = row.version();
            endAt = row.endAt();
            running = row.state() == SandboxState.RUNNING;
            idleTimeout = row.lifecycle().idleTimeout();
        }
    }

    boolean hasLeft() {
        return gone.isDone();
    }

    void leave() {
        gone.complete(null);
    }
}
