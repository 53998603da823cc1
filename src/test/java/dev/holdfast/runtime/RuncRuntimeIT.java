package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The contract on machines of the first generation, and what their border holds. */
@Tag("R75")
@TestInstance(Lifecycle.PER_CLASS)
class RuncRuntimeIT extends RuntimeContract {
    private final Ground ground = Ground.fresh();
    private RunscRuntime runtime;

    @BeforeAll
    void open() {
        runtime = RunscRuntime.open(ground.config(), Clock.systemUTC());
        runtime.adopt(Set.of());
        assertThat(runtime.readiness().missing()).isEmpty();
        assertThat(runtime.readiness().missingForLight()).isEmpty();
    }

    @AfterAll
    void closeLeavesNothingOnTheHost() {
        runtime.start(spec());
        runtime.close();
        var traces = ground.traces();
        traces.remove("files");
        assertThat(traces).isEmpty();
        assertThat(Path.of("/run/holdfast-" + ground.instance())).doesNotExist();
        assertThat(ground.home().resolve("worker/machines")).doesNotExist();
        assertThat(ground.home().resolve("worker/slots")).doesNotExist();
        Trees.remove(ground.home());
    }

    @Override
    SandboxRuntime runtime() {
        return runtime;
    }

    @Override
    MachineSpec spec() {
        return spec(new MachineSpec.Limits(512 * Ground.MIB, 2, 64, 256 * Ground.MIB));
    }

    @Override
    MachineSpec spec(MachineSpec.Limits limits) {
        return ground.spec(Generation.FIRST, MachineId.random(), Egress.EVERYTHING, limits);
    }

    @Test
    void isNeitherSavedNorRestored() {
        Machine machine = runtime.start(spec());
        Path image = ground.home().resolve("image");
        assertThatThrownBy(() -> runtime.checkpoint(machine.id(), image))
                .hasMessageContaining("generation 1");
        assertThat(image).doesNotExist();
        assertThatThrownBy(() -> runtime.restore(spec(), ground.home()))
                .hasMessageContaining("generation 1");
        try (var guest = new Guest(machine)) {
            assertThat(guest.shell("echo well").text()).isEqualTo("well\n");
        }
    }

    @Test
    void bothGenerationsRunSideBySideFromOneImage() {
        Machine light = runtime.start(spec());
        Machine own = runtime.start(ground.spec());
        try (var first = new Guest(light);
                var second = new Guest(own)) {
            first.shell("echo mine > /etc/note");
            assertThat(second.shell("cat /etc/note").code()).isNotZero();
            assertThat(second.shell("uname -r").text()).startsWith("4.4.0");
            assertThat(first.shell("uname -r").text()).doesNotStartWith("4.4.0");
        }
    }

    /** Root may do with the machine's files what root does: packages are installed like that. */
    @Test
    void rootOwnsTheFilesOfTheImageAndAUserDoesNot() {
        Machine machine = runtime.start(spec());
        try (var guest = new Guest(machine)) {
            assertThat(guest.shell("stat -c %u:%g / /etc/passwd; id -u").text())
                    .isEqualTo("0:0\n0:0\n0\n");
            assertThat(
                            guest.shell(
                                            "echo x >> /etc/passwd && chown 1000:1000 /etc/hosts"
                                                    + " && rm /etc/motd && mkdir /app"
                                                    + " && stat -c %u /etc/hosts")
                                    .text())
                    .isEqualTo("1000\n");
            assertThat(guest.shell("touch /etc/x", 1000, SOON).code()).isNotZero();
            assertThat(guest.shell("cat /etc/shadow", 1000, SOON).code()).isNotZero();
            assertThat(guest.python("answer = __import__('socket').create_server(('', 80)) and 1"))
                    .isEqualTo("1");
        }
    }

    @Test
    void rootInsideIsNobodyOutsideAndNoTwoMachinesAreOneUser() throws IOException {
        Machine one = runtime.start(spec());
        Machine other = runtime.start(spec());
        assertThat(user(one)).isNotEqualTo(user(other)).isNotZero();
        assertThat(user(one)).isGreaterThanOrEqualTo(1L << 31);
        try (var guest = new Guest(one)) {
            assertThat(guest.shell("cat /proc/self/uid_map").text().strip().split("\\s+"))
                    .containsExactly("0", Long.toString(user(one)), "65536");
            assertThat(guest.shell("cat /proc/self/setgroups /proc/1/oom_score_adj").code())
                    .isZero();
        }
    }

    @Test
    void seesNoProcessAndNoFileOfTheHost() {
        Machine machine = runtime.start(spec());
        try (var guest = new Guest(machine)) {
            assertThat(guest.shell("ls /proc | grep -c '^[0-9]'").text().strip())
                    .isIn("3", "4", "5");
            assertThat(guest.shell("ls -d " + ground.home() + " /work /var/cache/holdfast").text())
                    .doesNotContain("\n/");
            assertThat(guest.shell("cat /proc/self/mountinfo").text())
                    .doesNotContain(ground.home().toString());
            assertThat(guest.shell("ls /dev").text().split("\\s+"))
                    .containsExactlyInAnyOrder(
                            "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin",
                            "stdout", "tty", "urandom", "zero");
            assertThat(guest.shell("ls /sys/class/net; ls /sys/kernel /sys/module").text())
                    .contains("eth0")
                    .doesNotContain("hf" + ground.instance());
            assertThat(guest.shell("cat /proc/kcore /proc/keys; dmesg").text())
                    .doesNotContain("keyring");
            assertThat(guest.shell("echo 1 > /proc/sys/kernel/pid_max").code()).isNotZero();
            assertThat(guest.shell("echo 1 > /sys/class/net/eth0/mtu").code()).isNotZero();
        }
    }

    @Test
    void isRefusedWhatLeadsOutOfItsBorder() {
        Machine machine = runtime.start(spec());
        try (var guest = new Guest(machine)) {
            guest.python(
                    """
                    import ctypes, errno, os, socket
                    libc = ctypes.CDLL(None, use_errno=True)
                    def call(number, *arguments):
                        done = libc.syscall(number, *arguments)
                        return "done" if done >= 0 else errno.errorcode[ctypes.get_errno()]
                    def family(number, kind=socket.SOCK_RAW):
                        try:
                            socket.socket(number, kind, 1).close()
                            return "done"
                        except OSError as failure:
                            return errno.errorcode[failure.errno]
                    x86 = os.uname().machine == "x86_64"
                    numbers = ({"mount": 165, "umount2": 166, "unshare": 272, "setns": 308, "bpf": 321,
                                "ptrace": 101, "keyctl": 250, "add_key": 248, "pivot_root": 155,
                                "init_module": 175, "perf_event_open": 298, "io_uring_setup": 425,
                                "userfaultfd": 323, "open_tree": 428, "fsopen": 430,
                                "process_vm_readv": 310, "kexec_load": 246, "reboot": 169,
                                "open_by_handle_at": 304, "settimeofday": 164,
                                "name_to_handle_at": 303, "syslog": 103, "swapon": 167}
                               if x86 else
                               {"mount": 40, "umount2": 39, "unshare": 97, "setns": 268, "bpf": 280,
                                "ptrace": 117, "keyctl": 219, "add_key": 217, "pivot_root": 41,
                                "init_module": 105, "perf_event_open": 241, "io_uring_setup": 425})
                    """);
            assertThat(
                            guest.python(
                                    "answer = {n: call(v, 0, 0, 0, 0, 0) for n, v in"
                                            + " numbers.items()};"
                                            + " answer = [n for n in answer if answer[n] !="
                                            + " 'EPERM']"))
                    .as("not refused")
                    .isEqualTo("[]");
            assertThat(
                            guest.python(
                                    "answer = call(56 if x86 else 220, 0x10000000 | 17, 0, 0, 0,"
                                            + " 0)"))
                    .as("clone with a user namespace")
                    .isEqualTo("EPERM");
            assertThat(guest.shell("mkfifo /tmp/fifo && mknod /tmp/disk b 7 0").text())
                    .contains("/tmp/disk: Operation not permitted");
            assertThat(guest.shell("mount -t tmpfs none /mnt; unshare -U true").text())
                    .contains("mount:", "unshare failed: Operation not permitted");
            assertThat(guest.python("answer = call(435, 0, 0)")).isEqualTo("ENOSYS");
            assertThat(guest.python("answer = [family(n) for n in (38, 40, 17)]"))
                    .as("crypto, virtual machine and packet sockets")
                    .isEqualTo("['EPERM', 'EPERM', 'EPERM']");
            assertThat(
                            guest.python(
                                    "answer = []\nfor protocol in (0, 12, 16):\n try:\n"
                                            + "  socket.socket(16, 3, protocol)\n"
                                            + "  answer.append('done')\n"
                                            + " except OSError as failure:\n"
                                            + "  answer.append(errno.errorcode[failure.errno])"))
                    .as("netlink for routes, rules and anything")
                    .isEqualTo("['done', 'EPROTONOSUPPORT', 'EPROTONOSUPPORT']");
            assertThat(guest.python("answer = family(2)")).as("raw").isEqualTo("EPERM");
            assertThat(guest.shell("grep -h -E 'NoNewPrivs|Seccomp:' /proc/1/status").text())
                    .isEqualTo("NoNewPrivs:\t1\nSeccomp:\t2\n");
            assertThat(
                            guest.shell("ip link set eth0 down; ip addr add 10.9.9.9/24 dev eth0")
                                    .code())
                    .isNotZero();
            assertThat(guest.shell("echo well").text()).isEqualTo("well\n");
        }
    }

    @Test
    void reachesNeitherTheHostNorAnotherMachineAndTheHostReachesIt() throws IOException {
        Machine one = runtime.start(spec());
        Machine other = runtime.start(spec());
        try (var guest = new Guest(one);
                var neighbour = new Guest(other);
                var service = new ServerSocket(0)) {
            String serve = "server = __import__('socket').create_server(('0.0.0.0', 7000))";
            guest.python(serve);
            neighbour.python(serve);
            for (Machine machine : List.of(one, other)) {
                try (var socket = new Socket()) {
                    socket.connect(new InetSocketAddress(machine.address(), 7000), 2000);
                }
            }
            assertThat(dial(guest, other.address().getHostAddress(), 7000)).isEqualTo("no");
            assertThat(dial(guest, one.gateway().getHostAddress(), service.getLocalPort()))
                    .isEqualTo("no");
            String hosts =
                    NetworkInterface.getByInetAddress(one.gateway())
                            .inetAddresses()
                            .filter(address -> address instanceof Inet6Address)
                            .map(address -> address.getHostAddress().replaceAll("%.*", "%eth0"))
                            .findFirst()
                            .orElseThrow();
            assertThat(dial(guest, hosts, service.getLocalPort())).as(hosts).isEqualTo("no");
        }
    }

    @Test
    void aForkBombOfRootMeetsItsLimitInsideAndOneOfManyUsersEndsTheMachine() {
        var ends = new CopyOnWriteArrayList<MachineEnd>();
        runtime.onEnd(ends::add);
        Machine machine =
                runtime.start(
                        spec(new MachineSpec.Limits(1024 * Ground.MIB, 2, 40, 256 * Ground.MIB)));
        try (var guest = new Guest(machine)) {
            String bomb =
                    """
                    import os, time
                    def bomb(user):
                        for i in range(1000):
                            try:
                                if os.fork() == 0:
                                    if user:
                                        os.setuid(user + i)
                                    time.sleep(600)
                            except BlockingIOError:
                                return i
                    """;
            guest.python(bomb);
            assertThat(guest.python("answer = 30 < bomb(0) < 40")).isEqualTo("True");
            assertThat(of(machine, ends)).isEmpty();
        }
        Machine second =
                runtime.start(
                        spec(new MachineSpec.Limits(1024 * Ground.MIB, 2, 40, 256 * Ground.MIB)));
        try (var guest = new Guest(second)) {
            guest.tell(
                    "python3 -c 'import os, time\nfor i in range(1000):\n if os.fork() == 0:\n "
                            + " os.setuid(2000 + i); time.sleep(600)\n time.sleep(0.002)'",
                    0);
            Ground.await("told", Duration.ofSeconds(30), () -> !of(second, ends).isEmpty());
            assertThat(of(second, ends))
                    .extracting(MachineEnd::reason)
                    .containsExactly(MachineEnd.Reason.OUT_OF_PROCESSES);
        }
    }

    @Test
    void aServerThatTakesOverKeepsItAndOneThatDoesNotRemovesIt() {
        Ground place = Ground.fresh();
        RunscRuntime first = RunscRuntime.open(place.config(), Clock.systemUTC());
        first.adopt(Set.of());
        MachineSpec.Limits limits =
                new MachineSpec.Limits(256 * Ground.MIB, 2, 64, 256 * Ground.MIB);
        MachineSpec kept = place.spec(Generation.FIRST, MachineId.random(), Egress.NOTHING, limits);
        MachineSpec dropped =
                place.spec(Generation.FIRST, MachineId.random(), Egress.NOTHING, limits);
        Machine machine = first.start(kept);
        first.start(dropped);
        try (var guest = new Guest(machine)) {
            guest.python("total = 42");
        }
        first.leave();
        RunscRuntime second = RunscRuntime.open(place.config(), Clock.systemUTC());
        try {
            assertThat(second.adopt(Set.of(kept.id()))).containsExactly(machine);
            second.resume(kept.id());
            second.network(kept.id(), Egress.EVERYTHING);
            try (var guest = new Guest(machine)) {
                assertThat(guest.python("answer = total")).isEqualTo("42");
            }
            assertThat(place.traces().get("groups"))
                    .noneMatch(group -> group.contains(dropped.id().value()));
        } finally {
            second.close();
        }
        var traces = place.traces();
        traces.remove("files");
        assertThat(traces).isEmpty();
        Trees.remove(place.home());
    }

    private static String dial(Guest guest, String address, int port) {
        return guest.python(
                """
                try:
                    __import__('socket').create_connection(('%s', %d), 1.5).close()
                    answer = 'reached'
                except OSError:
                    answer = 'no'
                """
                        .formatted(address, port));
    }

    private static long user(Machine machine) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + machine.pid() + "/status")).stream()
                .filter(line -> line.startsWith("Uid:"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                .findFirst()
                .orElseThrow();
    }
}
