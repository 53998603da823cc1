package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** What a machine reaches, tried from inside. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class IsolationIT {
    private static final MachineSpec.Limits LIMITS =
            new MachineSpec.Limits(256 * Ground.MIB, 2, 64, 256 * Ground.MIB);

    private final Ground ground = Ground.fresh();
    private Outside outside;
    private Path resolver;
    private RunscRuntime runtime;
    private Machine open;
    private Machine shut;
    private Guest fromOpen;
    private Guest fromShut;

    @BeforeAll
    void begin() throws IOException {
        outside = new Outside(ground.instance());
        resolver = Outside.resolver();
        runtime = RunscRuntime.open(ground.config(resolver), Clock.systemUTC());
        runtime.adopt(Set.of());
        open = runtime.start(ground.spec(MachineId.random(), true, LIMITS));
        shut = runtime.start(ground.spec(MachineId.random(), false, LIMITS));
        fromOpen = new Guest(open);
        fromShut = new Guest(shut);
        for (Guest guest : List.of(fromOpen, fromShut)) {
            guest.python(
                    """
                    import socket, threading
                    def reach(address, port):
                        try:
                            socket.create_connection((address, port), 1.5).close()
                            return "reached"
                        except OSError as failure:
                            return "no"
                    server = socket.create_server(("0.0.0.0", 7000))
                    def serve():
                        while True:
                            peer, _ = server.accept()
                            peer.sendall(b"hi")
                            peer.close()
                    threading.Thread(target=serve, daemon=True).start()
                    """);
        }
    }

    @AfterAll
    void end() {
        fromOpen.close();
        fromShut.close();
        runtime.close();
        outside.close();
        Trees.remove(ground.home());
        Trees.remove(resolver);
    }

    @Test
    void onlyAMachineWithInternetReachesTheOutside() {
        assertThat(reach(fromOpen, Outside.ADDRESS, 8000)).isEqualTo("reached");
        assertThat(reach(fromShut, Outside.ADDRESS, 8000)).isEqualTo("no");
    }

    @Test
    void noMachineReachesAPrivateAddressThatTheHostReaches() throws IOException {
        for (String address : Outside.PRIVATE) {
            dial(address, 8000);
            assertThat(reach(fromOpen, address, 8000)).as(address).isEqualTo("no");
            assertThat(reach(fromShut, address, 8000)).as(address).isEqualTo("no");
        }
    }

    @Test
    void noMachineReachesTheHost() throws IOException {
        try (var service = new ServerSocket(0)) {
            for (String address : hostAddresses()) {
                if (!isDialled(address, service.getLocalPort())) {
                    continue;
                }
                for (Guest guest : List.of(fromOpen, fromShut)) {
                    assertThat(reach(guest, address, service.getLocalPort()))
                            .as(address)
                            .isEqualTo("no");
                }
            }
        }
        assertThat(reach(fromOpen, open.gateway().getHostAddress(), 53)).isEqualTo("no");
        assertThat(reach(fromOpen, forwarder(), 53)).isEqualTo("no");
    }

    @Test
    void noMachineReachesAnotherButTheHostReachesBoth() throws IOException {
        dial(open.address().getHostAddress(), 7000);
        dial(shut.address().getHostAddress(), 7000);
        assertThat(reach(fromOpen, shut.address().getHostAddress(), 7000)).isEqualTo("no");
        assertThat(reach(fromShut, open.address().getHostAddress(), 7000)).isEqualTo("no");
    }

    @Test
    void namesAreAnsweredButNeverWithPrivateAddresses() {
        assertThat(resolve(fromOpen, "public.example")).isEqualTo("93.184.215.14");
        assertThat(resolve(fromOpen, "rebind.example")).isEqualTo("no");
        assertThat(resolve(fromShut, "public.example")).isEqualTo("no");
    }

    @Test
    void shuttingInCutsOpenConnectionsAndNames() {
        fromOpen.python(
                """
                line = socket.create_connection(("203.0.113.2", 8000), 2)
                def echo():
                    try:
                        line.sendall(b"x")
                        return line.recv(1).decode()
                    except OSError:
                        return "no"
                answer = echo()
                """);
        assertThat(fromOpen.python("answer = echo()")).isEqualTo("x");
        runtime.network(open.id(), Egress.NOTHING);
        assertThat(fromOpen.python("answer = echo()")).isEqualTo("no");
        assertThat(reach(fromOpen, Outside.ADDRESS, 8000)).isEqualTo("no");
        assertThat(resolve(fromOpen, "other.example")).isEqualTo("no");
        runtime.network(open.id(), Egress.EVERYTHING);
        assertThat(reach(fromOpen, Outside.ADDRESS, 8000)).isEqualTo("reached");
        assertThat(resolve(fromOpen, "other.example")).isEqualTo("93.184.215.14");
    }

    @Test
    void aLinkThatSpeaksWithAnotherAddressIsNotHeard() throws Exception {
        String link = freeLink();
        Command.must(
                "ip", "-n", link, "addr", "add", open.address().getHostAddress(), "dev", "eth0");
        String code =
                "import socket; socket.create_connection(('203.0.113.2', 8000), 1.5, ('%s', 0))"
                        .formatted(open.address().getHostAddress());
        String unmarked = "{ " + addressOf(link) + " . 0 }";
        Command.must("nft", "add", "element", table(), "passing", unmarked);
        try {
            String right = "import socket; socket.create_connection(('203.0.113.2', 8000), 1.5)";
            assertThat(Command.run("ip", "netns", "exec", link, "python3", "-c", right).failed())
                    .isFalse();
            assertThat(Command.run("ip", "netns", "exec", link, "python3", "-c", code).failed())
                    .isTrue();
        } finally {
            Command.must("nft", "delete", "element", table(), "passing", unmarked);
        }
    }

    @Test
    void rulesThatSomebodyFlushedComeBack() {
        Command.must("nft", "flush", "table", table());
        Ground.await(
                "rules",
                Duration.ofSeconds(30),
                () -> Command.run("nft", "list", "table", table()).output().contains("@closed"));
        assertThat(reach(fromShut, Outside.ADDRESS, 8000)).isEqualTo("no");
        assertThat(reach(fromOpen, Outside.ADDRESS, 8000)).isEqualTo("reached");
    }

    @Test
    void theForwarderComesBack() throws Exception {
        var pid = ground.home().resolve("worker/forwarder.pid");
        long first = Long.parseLong(Files.readString(pid).split(" ")[0]);
        ProcessHandle.of(first).orElseThrow().destroyForcibly();
        Ground.await(
                "names",
                Duration.ofSeconds(30),
                () -> resolve(fromOpen, "again.example").equals("93.184.215.14"));
    }

    private String table() {
        return "inet holdfast_" + ground.instance();
    }

    private String freeLink() {
        return Trees.children(Path.of("/run/netns")).stream()
                .map(path -> path.getFileName().toString())
                .filter(name -> name.startsWith("hf" + ground.instance()))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private String addressOf(String link) {
        int slot = Integer.parseInt(link.substring(link.indexOf('-') + 1));
        String block = open.address().getHostAddress().split("\\.")[1];
        return new Network(ground.instance(), Integer.parseInt(block))
                .inside(slot)
                .getHostAddress();
    }

    private String forwarder() {
        return open.address().getHostAddress().replaceAll("^(10\\.\\d+).*", "$1.0.1");
    }

    private static String reach(Guest guest, String address, int port) {
        return guest.python("answer = reach('" + address + "', " + port + ")");
    }

    private static String resolve(Guest guest, String name) {
        return guest.shell("timeout 4 getent ahostsv4 " + name + " | head -1 | cut -d' ' -f1")
                .text()
                .strip()
                .transform(text -> text.isEmpty() ? "no" : text);
    }

    private static void dial(String address, int port) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 2000);
        }
    }

    /** Other servers on this host end, and their addresses with them. */
    private static boolean isDialled(String address, int port) throws IOException {
        try {
            dial(address, port);
            return true;
        } catch (IOException e) {
            if (hostAddresses().contains(address)) {
                throw e;
            }
            return false;
        }
    }

    private static List<String> hostAddresses() throws IOException {
        var addresses = new ArrayList<String>();
        for (NetworkInterface link : NetworkInterface.networkInterfaces().toList()) {
            link.inetAddresses()
                    .filter(address -> address instanceof Inet4Address)
                    .filter(address -> !address.isLoopbackAddress())
                    .forEach(address -> addresses.add(address.getHostAddress()));
        }
        assertThat(addresses).hasSizeGreaterThan(2);
        return addresses;
    }
}
