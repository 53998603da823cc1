package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * This instance's part of the address space: 10.{@code block}.0.0/16. The first address is the
 * forwarder's and sits on the loopback device, where it also tells other instances that the block
 * is taken; each slot has the four addresses from 4 x its number.
 */
record Network(String instance, int block) {
    static final int SLOTS = 16_383;

    /**
     * One entry for each interface of the network namespace that this server runs in. What {@code
     * /sys/class/net} shows is that of whoever mounted it.
     */
    static final Path INTERFACES = Path.of("/proc/sys/net/ipv4/conf");

    /** Wide of what hosts, container engines and cluster tools like to take. */
    private static final int FIRST_BLOCK = 130;

    private static final int BLOCKS = 110;
    private static final Path HOST_LOCK = Path.of("/run/holdfast.lock");
    private static final Pattern ADDRESS = Pattern.compile("\\b10\\.(\\d{1,3})\\.\\d+\\.\\d+");

    /** The block of the last run if nobody took it, else a free one; claimed when this returns. */
    static Network claim(String instance, Path memory) {
        try (var channel =
                        FileChannel.open(
                                HOST_LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var turn = channel.lock()) {
            assert turn.isValid();
            Set<Integer> taken = taken(instance);
            int first = Math.floorMod(instance.hashCode(), BLOCKS);
            if (Files.exists(memory)) {
                first = Integer.parseInt(Files.readString(memory).strip()) - FIRST_BLOCK;
            }
            for (int i = 0; i < BLOCKS; i++) {
                int block = FIRST_BLOCK + Math.floorMod(first + i, BLOCKS);
                if (!taken.contains(block)) {
                    var network = new Network(instance, block);
                    Files.writeString(memory, block + "\n");
                    network.announce();
                    return network;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot claim addresses", e);
        }
        throw new MachineFailure(
                MachineFailure.Reason.NOT_READY, "No free /16 left between 10.130 and 10.239");
    }

    String prefix() {
        return "hf" + instance + "-";
    }

    String name(int slot) {
        return prefix() + slot;
    }

    InetAddress forwarder() {
        return address(1);
    }

    InetAddress gateway(int slot) {
        return address(4 * slot + 1);
    }

    InetAddress inside(int slot) {
        return address(4 * slot + 2);
    }

    String range() {
        return "10." + block + ".0.0/16";
    }

    void release() {
        Command.run("ip", "addr", "del", forwarder().getHostAddress() + "/32", "dev", "lo");
    }

    private void announce() {
        Command.must(
                "ip",
                "addr",
                "replace",
                forwarder().getHostAddress() + "/32",
                "dev",
                "lo",
                "label",
                "lo:hf" + instance);
    }

    private InetAddress address(int offset) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {10, (byte) block, (byte) (offset >> 8), (byte) offset});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Second numbers of all 10.x addresses and routes that are not our own. */
    private static Set<Integer> taken(String instance) throws IOException {
        var taken = new HashSet<Integer>();
        String own = "hf" + instance;
        String known =
                Command.must("ip", "-o", "-4", "addr", "show")
                        + "\n"
                        + Command.must("ip", "-o", "-4", "route", "show");
        for (String line : known.lines().toList()) {
            if (!line.contains(own)) {
                ADDRESS.matcher(line)
                        .results()
                        .forEach(found -> taken.add(Integer.valueOf(found.group(1))));
            }
        }
        return taken;
    }
}
