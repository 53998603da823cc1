package dev.holdfast.fleet;

import dev.holdfast.role.Role;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A node that runs sandboxes, as it last announced itself. */
@Entity
public class Worker {

    @Id private String id;
    private String missing;
    private String missingLight;
    private String runtimeId;
    private String platform;
    private String architecture;
    private String cpuFeatures;
    private Integer[] agentProtocols;
    private Integer[] stateFormats;
    private int sandboxLimit;
    private Long volumeRoom;
    private String address;
    private String certificates;
    private Instant leaseUntil;
    private Instant startedAt;
    private String instance;
    private long incarnation;
    private String roles = "";
    private Instant unreachableAt;
    private Instant lostAt;
    private Instant drainingAt;
    private Instant drainedAt;

    protected Worker() {}

    Worker(String id) {
        this.id = id;
        platform = "";
        architecture = "";
        cpuFeatures = "";
        agentProtocols = new Integer[0];
        stateFormats = new Integer[0];
    }

    public String id() {
        return id;
    }

    /** What it lacks; empty when it can run sandboxes. */
    public List<String> missing() {
        return lines(missing);
    }

    /** What it lacks for sandboxes of generation 1; empty when that is turned off there. */
    public Optional<List<String>> missingForLight() {
        return Optional.ofNullable(missingLight).map(Worker::lines);
    }

    /** Whether it takes sandboxes of a generation, if it takes any. */
    public boolean runs(int generation) {
        return generation == 2 || missingForLight().filter(List::isEmpty).isPresent();
    }

    public Optional<String> runtimeBuild() {
        return Optional.ofNullable(runtimeId);
    }

    public String platform() {
        return platform;
    }

    public String architecture() {
        return architecture;
    }

    public List<String> cpuFeatures() {
        return cpuFeatures.isEmpty() ? List.of() : Arrays.asList(cpuFeatures.split(" "));
    }

    /** How many bytes of its disk volumes may take yet, as it told last; empty before it did. */
    public Optional<Long> volumeRoom() {
        return Optional.ofNullable(volumeRoom);
    }

    public List<String> roles() {
        return List.of(roles.split(","));
    }

    public Instant startedAt() {
        return startedAt;
    }

    /** Until when it is taken for reachable, unless it renews that. */
    public Instant leaseUntil() {
        return leaseUntil;
    }

    /** Since when it is being drained; empty when it is not. */
    public Optional<Instant> drainingAt() {
        return Optional.ofNullable(drainingAt);
    }

    /** How it is now. */
    public WorkerState state(Instant now) {
        if (lostAt != null) {
            return WorkerState.LOST;
        }
        if (!isReachable(now)) {
            return WorkerState.UNREACHABLE;
        }
        if (drainingAt != null) {
            return drainedAt == null ? WorkerState.DRAINING : WorkerState.DRAINED;
        }
        return missing.isEmpty() ? WorkerState.READY : WorkerState.UNFIT;
    }

    /** Whether it takes new work. */
    public boolean isOpen() {
        return missing.isEmpty() && drainingAt == null;
    }

    /** Where other nodes reach it; empty for one that no other node speaks to. */
    public Optional<Address> address() {
        return Optional.ofNullable(address)
                .map(place -> Address.of(place, List.of(certificates.split(" "))));
    }

    public int sandboxLimit() {
        return sandboxLimit;
    }

    boolean isReachable(Instant now) {
        return leaseUntil.isAfter(now);
    }

    /** Whether a process of that installation would push another one out. */
    boolean isHeldAgainst(String other, Instant now) {
        return isReachable(now) && instance != null && !instance.equals(other);
    }

    /** A process takes the name: an earlier one that still goes on is told so when it renews. */
    void begin(String by, Set<Role> all, Instant now, Duration lease) {
        instance = by;
        incarnation++;
        roles = all.stream().map(Role::word).collect(Collectors.joining(","));
        startedAt = now;
        unreachableAt = null;
        lostAt = null;
        renew(now, lease);
    }

    /** Under which number the process that has its name renews its lease. */
    public long incarnation() {
        return incarnation;
    }

    /** What comes of a wish to renew, by the process that began under that number. */
    Renewal judge(long under) {
        if (incarnation != under) {
            return Renewal.TAKEN;
        }
        return lostAt == null ? Renewal.DONE : Renewal.LOST;
    }

    /** Nobody hears of it, which is told once. */
    boolean miss(Instant now) {
        boolean news = unreachableAt == null;
        unreachableAt = news ? now : unreachableAt;
        return news;
    }

    /** Whether nobody has heard of it since then, and that was told. */
    boolean isMissedSince(Instant moment) {
        return unreachableAt != null && !unreachableAt.isAfter(moment);
    }

    boolean isLost() {
        return lostAt != null;
    }

    /** It is heard of again; false when nobody was told that it was not. */
    boolean isBack() {
        boolean news = unreachableAt != null;
        unreachableAt = null;
        return news;
    }

    /** What it ran is given up, which is told once. */
    boolean lose(Instant now) {
        boolean news = lostAt == null;
        lostAt = news ? now : lostAt;
        return news;
    }

    /** False when it is being drained already. */
    boolean drain(Instant now) {
        boolean news = drainingAt == null;
        drainingAt = news ? now : drainingAt;
        return news;
    }

    /** False when it was not being drained. */
    boolean undrain() {
        boolean news = drainingAt != null;
        drainingAt = null;
        drainedAt = null;
        return news;
    }

    /** Nothing runs there; false when that was known, or it is not being drained. */
    boolean drained(Instant now) {
        boolean news = drainingAt != null && drainedAt == null;
        drainedAt = news ? now : drainedAt;
        return news;
    }

    void announce(Offer offer) {
        missing = String.join("\n", offer.missing());
        missingLight = offer.missingForLight().map(lacks -> String.join("\n", lacks)).orElse(null);
        runtimeId = offer.runtimeBuild().orElse(null);
        platform = offer.platform();
        architecture = offer.architecture();
        cpuFeatures = String.join(" ", offer.cpuFeatures());
        agentProtocols = offer.agentProtocols().toArray(Integer[]::new);
        stateFormats = offer.stateFormats().toArray(Integer[]::new);
        sandboxLimit = offer.sandboxLimit();
    }

    void lack(String what) {
        missing = what;
    }

    void renew(Instant now, Duration lease) {
        leaseUntil = now.plus(lease);
    }

    void tellRoom(long bytes) {
        volumeRoom = bytes;
    }

    void tellAddress(Optional<Address> told) {
        address = told.map(Address::place).orElse(null);
        certificates = told.map(each -> String.join(" ", each.certificates())).orElse(null);
    }

    /** No new work from now on; what it lacks is said in its place. */
    void withdraw(Instant now, String why) {
        leaseUntil = now;
        unreachableAt = now; // which is meant, so nobody has to be told
        missing = why;
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split("\n"));
    }
}
