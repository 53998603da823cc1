package dev.holdfast.runtime;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A machine that runs (or is paused).
 *
 * @param pid its process on the host
 * @param in the FIFO its first process reads; open it read-write, or opening blocks
 * @param out the FIFO its first process writes; open it read-write, or opening blocks
 * @param address where the host reaches its ports
 * @param gateway the host's end of its link; nothing answers there
 * @param directory everything that is the machine's own on this host
 */
public record Machine(
        MachineId id,
        long pid,
        Path in,
        Path out,
        InetAddress address,
        InetAddress gateway,
        Instant startedAt,
        Path directory) {}
