package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.runtime.Egress.Range;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists of what a machine may reach, tried from inside. */
@Timeout(120)
class EgressIT {
    private static final MachineSpec.Limits LIMITS =
            new MachineSpec.Limits(256 * Ground.MIB, 2, 64, 256 * Ground.MIB);

    /** Where names lead, see {@link Outside}. */
    private static final String FIRST = "93.184.215.14";

    private static final String SECOND = "93.184.215.15";
    private static final String ALIAS = "93.184.215.77";

    private static final String TOOLS =
            """
            import socket, subprocess
            def dial(address, port=8000):
                try:
                    return socket.create_connection((address, port), 1.5)
                except OSError as failure:
                    return None
            def reach(address, port=8000):
                line = dial(address, port)
                return "no" if line is None else line.close() or "reached"
            def names(*all):
                found = []
                for name in all:
                    try:
                        found.append(subprocess.run(["getent", "ahostsv4", name], timeout=4,
                            capture_output=True, text=True).stdout.split()[0])
                    except (IndexError, subprocess.TimeoutExpired):
                        found.append("no")
                return " ".join(found)
            def echo(line):
                try:
                    line.settimeout(2)
                    line.sendall(b"x")
                    return line.recv(1).decode() or "end"
                except OSError:
                    return "no"
            """;

    private final Ground ground = Ground.fresh();
    private Outside outside;
    private Path resolver;
    private RunscRuntime runtime;

    @BeforeEach
    void begin() throws IOException {
        outside = new Outside(ground.instance());
        resolver = Outside.resolver();
        runtime = RunscRuntime.open(ground.config(resolver), Clock.systemUTC());
        runtime.adopt(Set.of());
    }

    @AfterEach
    void end() {
        runtime.close();
        outside.close();
        var traces = ground.traces();
        traces.remove("files");
        Trees.remove(ground.home());
        Trees.remove(resolver);
        assertThat(traces).isEmpty();
    }

    @Test
    void whatIsAllowedGoesBeforeWhatIsDenied() {
        Machine machine =
                start(
                        egress(
                                true,
                                List.of(block(SECOND)),
                                List.of(block("93.184.215.0", 24)),
                                List.of()));
        try (var guest = guest(machine)) {
            assertThat(reach(guest, FIRST)).isEqualTo("no");
            assertThat(reach(guest, SECOND)).isEqualTo("reached");
            assertThat(reach(guest, Outside.ADDRESS)).isEqualTo("reached");
            assertThat(names(guest, "public.example")).isEqualTo(FIRST);
        }
    }

    @Test
    void whereOnlyAddressesAreAllowedNoNameResolves() {
        Machine machine = start(egress(false, List.of(block(FIRST)), List.of(), List.of()));
        try (var guest = guest(machine)) {
            assertThat(reach(guest, FIRST)).isEqualTo("reached");
            assertThat(reach(guest, SECOND)).isEqualTo("no");
            assertThat(names(guest, "public.example")).isEqualTo("no");
        }
    }

    @Test
    void privateAddressesStayClosedWhateverIsAllowed() {
        var all = new Range(0, (1L << 32) - 1);
        Machine machine = start(egress(true, List.of(all), List.of(), List.of()));
        Machine other =
                start(
                        egress(
                                false,
                                List.of(all),
                                List.of(),
                                List.of("rebind.example", "carrier.example")));
        for (Machine one : List.of(machine, other)) {
            try (var guest = guest(one)) {
                assertThat(reach(guest, FIRST)).isEqualTo("reached");
                for (String address : Outside.PRIVATE) {
                    assertThat(reach(guest, address)).as(address).isEqualTo("no");
                }
                assertThat(names(guest, "rebind.example")).isEqualTo("no");
                names(guest, "carrier.example");
                assertThat(reach(guest, "100.64.9.9")).isEqualTo("no");
            }
        }
    }

    /** The forwarders run as a user of their own, and what they log goes nowhere. */
    @Test
    void leavesTheHostsDevicesToRoot() throws IOException {
        Path device = Path.of("/dev/null");
        Files.setOwner(device, owner("root"));
        Machine machine = start(names("first.example"));
        try (var guest = guest(machine)) {
            assertThat(names(guest, "first.example")).isEqualTo(FIRST);
        }
        assertThat(Files.getOwner(device)).isEqualTo(owner("root"));
    }

    private static UserPrincipal owner(String name) throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
    }

    @Test
    void namesThatAreAllowedResolveAndTheirAddressesAreReached() {
        Machine machine =
                start(
                        names(
                                "first.example",
                                "*.wild.example",
                                "alias.example",
                                "below.second.example",
                                "*.deep.first.example"));
        try (var guest = guest(machine)) {
            assertThat(reach(guest, FIRST)).as("before anybody asked").isEqualTo("no");
            assertThat(
                            names(
                                    guest,
                                    "other.example",
                                    "www.first.example",
                                    "wild.example",
                                    "second.example",
                                    "xfirst.example",
                                    "example",
                                    "deep.first.example"))
                    .isEqualTo("no no no no no no no");
            assertThat(reach(guest, FIRST)).as("refused names open nothing").isEqualTo("no");
            assertThat(names(guest, "FIRST.example", "alias.example"))
                    .isEqualTo(FIRST + " " + ALIAS);
            assertThat(reach(guest, FIRST)).isEqualTo("reached");
            assertThat(reach(guest, ALIAS)).as("behind an alias").isEqualTo("reached");
            assertThat(reach(guest, SECOND)).isEqualTo("no");
            assertThat(reach(guest, Outside.ADDRESS)).isEqualTo("no");
            assertThat(
                            names(
                                    guest,
                                    "a.wild.example",
                                    "second.wild.example",
                                    "x.y.deep.first.example",
                                    "below.second.example"))
                    .isEqualTo(FIRST + " " + SECOND + " " + FIRST + " " + SECOND);
            assertThat(reach(guest, SECOND)).isEqualTo("reached");
            String direct = "answer = reach('" + gateway(machine) + "', 53)";
            assertThat(guest.python(direct)).as("the forwarder itself").isEqualTo("no");
        }
    }

    @Test
    void aChangeCutsWhatItDeniesAndLeavesTheRest() {
        Machine machine = start(Egress.EVERYTHING);
        try (var guest = guest(machine)) {
            guest.python("first = dial('" + FIRST + "'); second = dial('" + SECOND + "')");
            assertThat(guest.python("answer = echo(first) + echo(second)")).isEqualTo("xx");
            runtime.network(
                    machine.id(), egress(true, List.of(), List.of(block(SECOND)), List.of()));
            assertThat(guest.python("answer = echo(second)")).isEqualTo("no");
            assertThat(guest.python("answer = echo(first)")).isEqualTo("x");
            runtime.network(machine.id(), names("first.example"));
            assertThat(guest.python("answer = echo(first)"))
                    .as("its name was not asked")
                    .isEqualTo("no");
            assertThat(names(guest, "first.example", "other.example")).isEqualTo(FIRST + " no");
            guest.python("first = dial('" + FIRST + "')");
            assertThat(guest.python("answer = echo(first)")).isEqualTo("x");
            runtime.network(machine.id(), names("first.example", "second.example"));
            assertThat(guest.python("answer = echo(first)")).as("one more name").isEqualTo("x");
            assertThat(names(guest, "second.example")).isEqualTo(SECOND);
            runtime.network(machine.id(), names("second.example"));
            assertThat(guest.python("answer = echo(first)")).as("its name went").isEqualTo("no");
            assertThat(names(guest, "first.example", "second.example")).isEqualTo("no " + SECOND);
            runtime.network(machine.id(), Egress.NOTHING);
            assertThat(reach(guest, SECOND)).isEqualTo("no");
            runtime.network(machine.id(), Egress.EVERYTHING);
            assertThat(reach(guest, SECOND)).isEqualTo("reached");
            assertThat(names(guest, "other.example")).isEqualTo(FIRST);
        }
    }

    @Test
    void aChangeIsInForceInWellUnderASecond() {
        Machine machine = start(Egress.EVERYTHING);
        for (int i = 0; i < 2 * Ground.REPEAT; i++) {
            long begin = System.nanoTime();
            runtime.network(machine.id(), i % 2 == 0 ? names("first.example") : Egress.EVERYTHING);
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isLessThan(Duration.ofSeconds(1));
        }
    }

    @Test
    void listsHoldAfterARestoreAndAfterARestart() {
        Machine machine = start(names("first.example"));
        Path image = ground.home().resolve("image");
        runtime.checkpoint(machine.id(), image);
        Machine clone =
                runtime.restore(
                        ground.spec(MachineId.random(), names("second.example"), LIMITS), image);
        try (var guest = guest(clone)) {
            assertThat(names(guest, "first.example", "second.example")).isEqualTo("no " + SECOND);
            assertThat(reach(guest, SECOND)).isEqualTo("reached");
        }
        try (var guest = guest(machine)) {
            names(guest, "first.example");
            guest.python("first = dial('" + FIRST + "')");
            runtime.leave();
            assertThat(guest.python("answer = echo(first)"))
                    .as("while nobody runs it")
                    .isEqualTo("x");
            runtime = RunscRuntime.open(ground.config(resolver), Clock.systemUTC());
            runtime.adopt(Set.of(machine.id()));
            assertThat(guest.python("answer = echo(first)")).as("after a restart").isEqualTo("x");
            assertThat(reach(guest, FIRST)).as("an address known before").isEqualTo("reached");
            assertThat(reach(guest, SECOND)).isEqualTo("no");
            assertThat(names(guest, "first.example", "second.example")).isEqualTo(FIRST + " no");
        }
    }

    @Test
    void theForwarderOfAMachineComesBackAndGoesWithIt() throws Exception {
        Machine machine = start(names("first.example"));
        try (var guest = guest(machine)) {
            Path file = Trees.children(ground.home().resolve("worker/names")).get(0);
            long pid = Long.parseLong(java.nio.file.Files.readString(file).split(" ")[0]);
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            Ground.await(
                    "names",
                    Duration.ofSeconds(30),
                    () -> names(guest, "first.example").equals(FIRST));
        }
        runtime.kill(machine.id());
        Ground.await(
                "no forwarder",
                Duration.ofSeconds(10),
                () -> Trees.children(ground.home().resolve("worker/names")).isEmpty());
    }

    @Test
    void aManyOfListsIsTaken() {
        var names =
                java.util.stream.IntStream.range(0, 256)
                        .mapToObj(
                                i -> "a".repeat(60) + "." + "b".repeat(60) + ".n" + i + ".example")
                        .toList();
        var blocks =
                java.util.stream.LongStream.range(0, 256)
                        .mapToObj(i -> new Range(i << 24, i << 24))
                        .toList();
        Machine machine = start(new Egress(false, blocks, List.of(), names));
        runtime.network(machine.id(), new Egress(true, List.of(), blocks, List.of()));
        assertThatThrownBy(() -> runtime.network(MachineId.random(), Egress.NOTHING))
                .isInstanceOfSatisfying(
                        MachineFailure.class,
                        failure ->
                                assertThat(failure.reason()).isEqualTo(MachineFailure.Reason.GONE));
    }

    private Machine start(Egress egress) {
        return runtime.start(ground.spec(MachineId.random(), egress, LIMITS));
    }

    private static Guest guest(Machine machine) {
        var guest = new Guest(machine);
        guest.python(TOOLS);
        return guest;
    }

    private static Egress names(String... names) {
        return egress(false, List.of(), List.of(), List.of(names));
    }

    private static Egress egress(
            boolean open, List<Range> allow, List<Range> deny, List<String> names) {
        return new Egress(open, allow, deny, names);
    }

    private static Range block(String address) {
        return block(address, 32);
    }

    private static Range block(String address, int prefix) {
        try {
            long first =
                    ByteBuffer.wrap(InetAddress.getByName(address).getAddress()).getInt()
                            & 0xffffffffL;
            return new Range(first, first + (1L << 32 - prefix) - 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String reach(Guest guest, String address) {
        return guest.python("answer = reach('" + address + "')");
    }

    private static String names(Guest guest, String... names) {
        return guest.python("answer = names('" + String.join("', '", names) + "')");
    }

    private static String gateway(Machine machine) {
        return machine.gateway().getHostAddress();
    }
}
