package dev.holdfast.fleet;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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

    protected Worker() {}

    Worker(String id) {
        this.id = id;
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

    /** Where other nodes reach it; empty for one that no other node speaks to. */
    public Optional<Address> address() {
        return Optional.ofNullable(address)
                .map(place -> Address.of(place, List.of(certificates.split(" "))));
    }

    int sandboxLimit() {
        return sandboxLimit;
    }

    boolean isReachable(Instant now) {
        return leaseUntil.isAfter(now);
    }

    void announce(Offer offer, Instant now, Duration lease) {
        missing = String.join("\n", offer.missing());
        missingLight = offer.missingForLight().map(lacks -> String.join("\n", lacks)).orElse(null);
        runtimeId = offer.runtimeBuild().orElse(null);
        platform = offer.platform();
        architecture = offer.architecture();
        cpuFeatures = String.join(" ", offer.cpuFeatures());
        agentProtocols = offer.agentProtocols().toArray(Integer[]::new);
        stateFormats = offer.stateFormats().toArray(Integer[]::new);
        sandboxLimit = offer.sandboxLimit();
        startedAt = now;
        renew(now, lease);
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
        missing = why;
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split("\n"));
    }
}
