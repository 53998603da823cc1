package dev.holdfast.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One machine's life on this host: its directory and its state. The states only go forward, and
 * exactly one caller wins the step to ENDING; that one has the processes killed and the rest
 * removed.
 */
final class Cell {
    enum State {
        STARTING,
        /** Of an earlier run, alive, not adopted yet. */
        FOUND,
        RUNNING,
        ENDING
    }

    private final MachineId id;
    private final Path directory;

    /** Held by what must not overlap on one machine: checkpoint, pause, resume, network. */
    private final ReentrantLock work = new ReentrantLock(true);

    /** Complete when a start has succeeded or its processes are dead. */
    private final CompletableFuture<Void> settled = new CompletableFuture<>();

    private State state;
    private boolean halfMade;
    private Path template;
    private Process starter;
    private Registration record;

    Cell(MachineId id, Path directory) {
        this.id = id;
        this.directory = directory;
        this.state = State.STARTING;
    }

    /** Of an earlier run. */
    Cell(Path directory, Registration record) {
        this.id = record.id();
        this.directory = directory;
        this.record = record;
        this.template = record.template();
        this.state = State.FOUND;
        settled.complete(null);
    }

    MachineId id() {
        return id;
    }

    Path directory() {
        return directory;
    }

    Path in() {
        return directory.resolve("in");
    }

    Path out() {
        return directory.resolve("out");
    }

    Path disk() {
        return directory.resolve("disk");
    }

    Path errors() {
        return disk().resolve("err");
    }

    Path state() {
        return directory.resolve("state");
    }

    String pidFile() {
        return directory.resolve("pid").toString();
    }

    String bundle() {
        return directory.resolve("bundle").toString();
    }

    ReentrantLock work() {
        return work;
    }

    CompletableFuture<Void> settled() {
        return settled;
    }

    /** Starts the command that starts the machine, unless a kill came first. */
    synchronized Process launch(List<String> line) {
        requireStarting();
        starter = Command.start(line);
        return starter;
    }

    synchronized void requireStarting() {
        if (state != State.STARTING) {
            throw gone("was killed while it started");
        }
    }

    synchronized void started(Registration born) {
        requireStarting();
        record = born;
        state = State.RUNNING;
        settled.complete(null);
    }

    synchronized void adopt() {
        if (state == State.FOUND) {
            state = State.RUNNING;
        }
    }

    /** The start failed; the starting thread removes what it made. */
    synchronized void abandon() {
        halfMade = true;
        state = State.ENDING;
        if (starter != null) {
            starter.destroyForcibly().onExit().join();
        }
    }

    synchronized boolean halfMade() {
        return halfMade;
    }

    synchronized void holdTemplate(Path image) {
        template = image;
    }

    synchronized void releaseTemplate(Templates templates) {
        if (template != null) {
            templates.release(template);
            template = null;
        }
    }

    /** True for the one caller who has to see to the end. */
    synchronized boolean end() {
        if (state == State.ENDING) {
            return false;
        }
        state = State.ENDING;
        if (starter != null) {
            starter.destroyForcibly();
        }
        return true;
    }

    /** Not yet known to have ended. */
    synchronized boolean live() {
        return state == State.RUNNING || state == State.FOUND && record.alive();
    }

    synchronized boolean is(State asked) {
        return state == asked;
    }

    synchronized Registration requireRunning() {
        if (state != State.RUNNING) {
            throw gone("is not running");
        }
        return record;
    }

    synchronized Registration record() {
        return record;
    }

    synchronized void record(Registration changed) {
        record = changed;
    }

    MachineFailure gone(String how) {
        return new MachineFailure(MachineFailure.Reason.GONE, "Machine " + id + " " + how);
    }
}
