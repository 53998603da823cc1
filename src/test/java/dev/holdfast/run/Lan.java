package dev.holdfast.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A bridge and the network namespaces that hang on it: several machines on this one. Between them,
 * and between each and this host, every port is open; nothing leads further.
 *
 * <p>All names begin with what the home gives, so what a killed run left is found and removed by
 * the next one on the same home.
 */
final class Lan implements AutoCloseable {
    private static final Path ONE_AT_A_TIME = Path.of("/run/lock/holdfast-test-lan.lock");
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final Path INTERFACES = Path.of("/sys/class/net");

    /** Beside the blocks that the runtime takes for sandboxes. */
    private static final String BLOCK = "10.241.";

    private static final Pattern TAKEN = Pattern.compile("\\b10\\.241\\.(\\d{1,3})\\.");
    private static final int LETTERS = 36 * 36 * 36 * 36;
    private static final long SECONDS = 30;

    private final String prefix;
    private final String network;
    private int joined;

    private Lan(String prefix, String network) {
        this.prefix = prefix;
        this.network = network;
    }

    /** Removes what an earlier run on this home left, and begins anew. */
    static Lan open(Path home) throws IOException {
        var prefix = prefix(home);
        sweep(prefix);
        // Until its address is taken it looks free to the next one.
        try (var alone = Alone.with(ONE_AT_A_TIME)) {
            assert alone != null;
            var lan = new Lan(prefix, BLOCK + free() + ".");
            lan.bridge();
            return lan;
        }
    }

    private static String prefix(Path home) {
        int number = Math.floorMod(home.toString().hashCode(), LETTERS);
        return "hc" + Integer.toString(LETTERS + number, 36).substring(1) + "-";
    }

    private static int free() throws IOException {
        Set<Integer> taken = new HashSet<>();
        TAKEN.matcher(ip("", "-o", "-4", "addr", "show"))
                .results()
                .forEach(found -> taken.add(Integer.valueOf(found.group(1))));
        for (int i = 0; i < 256; i++) {
            if (!taken.contains(i)) {
                return i;
            }
        }
        throw new IOException("no network left below " + BLOCK);
    }

    /** Where this host is, as the others see it. */
    String host() {
        return network + 1;
    }

    private void bridge() throws IOException {
        ip(
                """
                link add %1$sbr type bridge
                addr add %2$s/24 dev %1$sbr
                link set %1$sbr up
                """
                        .formatted(prefix, host()),
                "-batch",
                "-");
    }

    /** A further machine. */
    Place join() throws IOException {
        int number = ++joined;
        var name = prefix + number;
        var address = network + (10 + number);
        ip(
                """
                netns add %1$s
                link add %1$s type veth peer name eth0 netns %1$s
                link set %1$s master %2$sbr
                link set %1$s up
                """
                        .formatted(name, prefix),
                "-batch",
                "-");
        ip(
                """
                link set lo up
                addr add %s/24 dev eth0
                link set eth0 up
                route add default via %s
                """
                        .formatted(address, host()),
                "-n",
                name,
                "-batch",
                "-");
        return new Place(name, address);
    }

    /**
     * One machine's network.
     *
     * @param namespace its name
     * @param address where everybody on the bridge, this host too, reaches it
     */
    record Place(String namespace, String address) {

        /** What a command line begins with to run there; all but the network stays the host's. */
        List<String> enter() {
            return List.of("nsenter", "--net=" + NAMESPACES.resolve(namespace));
        }
    }

    /** Everything that it made; what runs there has to have ended. */
    @Override
    public void close() throws IOException {
        sweep(prefix);
    }

    private static void sweep(String prefix) throws IOException {
        for (var name : names(INTERFACES, prefix)) {
            ip("", "link", "del", name);
        }
        for (var name : names(NAMESPACES, prefix)) {
            ip("", "netns", "del", name);
        }
    }

    private static List<String> names(Path directory, String prefix) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    private static String ip(String input, String... words) throws IOException {
        var line = new ArrayList<>(List.of("ip"));
        line.addAll(List.of(words));
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", line) + " hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in " + String.join(" ", line), e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(String.join(" ", line) + " failed: " + said + input);
        }
        return said;
    }
}
