package dev.holdfast.runtime;

import dev.holdfast.run.Alone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A network namespace that plays the world beyond the host: 203.0.113.0/24, and behind it some
 * private addresses that a router out there would carry. It answers TCP on 8000 and names on 53.
 */
public final class Outside implements AutoCloseable {
    static final String ADDRESS = "203.0.113.2";

    /** Addresses that nobody has a reason to refuse; names lead to the first unless said below. */
    static final List<String> PUBLIC = List.of("93.184.215.14", "93.184.215.15", "93.184.215.77");

    static final List<String> PRIVATE =
            List.of("169.254.169.254", "10.99.99.9", "192.168.77.7", "172.20.1.1", "100.64.9.9");

    private static final String SERVERS =
            """
            import socket, struct, threading
            def echo(peer):
                with peer:
                    while True:
                        data = peer.recv(4096)
                        if not data:
                            return
                        peer.sendall(data)
            def names():
                server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                server.bind(("0.0.0.0", 53))
                while True:
                    query, peer = server.recvfrom(512)
                    end = query.index(0, 12) + 5
                    address = "93.184.215.14"
                    for word, other in ((b"rebind", "192.168.77.7"), (b"carrier", "100.64.9.9"),
                            (b"second", "93.184.215.15"), (b"alias", "93.184.215.77")):
                        address = other if word in query else address
                    answers = b""
                    if b"alias" in query:
                        to = b"\\x04edge\\x07network\\x00"
                        answers = struct.pack(">HHHIH", 0xC00C, 5, 1, 60, len(to)) + to
                    name = b"\\xc0\\x0c" if not answers else b"\\x04edge\\x07network\\x00"
                    answers += name + struct.pack(">HHIH", 1, 1, 60, 4) + socket.inet_aton(address)
                    count = 2 if b"alias" in query else 1
                    server.sendto(query[:2] + struct.pack(">HHHHH", 0x8180, 1, count, 0, 0)
                        + query[12:end] + answers, peer)
            threading.Thread(target=names, daemon=True).start()
            listener = socket.create_server(("0.0.0.0", 8000))
            print("ready", flush=True)
            while True:
                peer, _ = listener.accept()
                threading.Thread(target=echo, args=(peer,), daemon=True).start()
            """;

    private static final Path ONE_ON_A_HOST = Path.of("/run/lock/holdfast-test-outside.lock");

    private final Alone alone;
    private final String name;
    private final String address;
    private final Process servers;

    /** With all that lies behind it, and that is there once on a host. */
    Outside(String instance) {
        this(instance, Alone.with(ONE_ON_A_HOST), "203.0.113.1/24", "203.0.113.2/24", true);
    }

    /** An address and nothing behind it, for one class of tests. */
    public static Outside bare(String instance) {
        return new Outside(instance, null, "203.0.113.9/29", "203.0.113.10/29", false);
    }

    private Outside(String instance, Alone alone, String host, String own, boolean whole) {
        this.alone = alone;
        name = "out" + instance;
        address = own.replaceAll("/.*", "");
        try {
            open(host, own);
            if (whole) {
                Stream.concat(PUBLIC.stream(), PRIVATE.stream()).forEach(this::carry);
            }
            servers = Command.start(List.of("ip", "netns", "exec", name, "python3", "-c", SERVERS));
            var all = servers;
            Ground.await("servers", Duration.ofSeconds(10), () -> reads(all));
        } catch (RuntimeException e) {
            if (whole) {
                alone.close();
            }
            throw e;
        }
    }

    /** Where it answers itself. */
    public String address() {
        return address;
    }

    private void open(String host, String own) {
        Command.must("ip", "netns", "add", name);
        Command.must("ip", "link", "add", name, "type", "veth", "peer", "eth0", "netns", name);
        Command.must("ip", "addr", "add", host, "dev", name);
        Command.must("ip", "link", "set", name, "up");
        inside("addr", "add", own, "dev", "eth0");
        inside("link", "set", "lo", "up");
        inside("link", "set", "eth0", "up");
        inside("route", "add", "default", "via", host.replaceAll("/.*", ""));
    }

    private void carry(String behind) {
        inside("addr", "add", behind + "/32", "dev", "lo");
        Command.must("ip", "route", "add", behind + "/32", "via", address);
    }

    private static boolean reads(Process process) throws IOException {
        return process.getInputStream().read() == 'r';
    }

    private void inside(String... words) {
        var line = new ArrayList<>(List.of("ip", "-n", name));
        line.addAll(List.of(words));
        Command.must(line.toArray(String[]::new));
    }

    /** Readable for all: the forwarder is an ordinary user. */
    static Path resolver() throws IOException {
        Path file = Files.createTempFile("holdfast-resolver-", "");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return Files.writeString(file, "nameserver " + ADDRESS + "\n");
    }

    @Override
    public void close() {
        try (alone) {
            servers.destroyForcibly();
            servers.onExit().join();
            Command.must("ip", "link", "del", name);
            Command.must("ip", "netns", "del", name);
        }
    }
}
