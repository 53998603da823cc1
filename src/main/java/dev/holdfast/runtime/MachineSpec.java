package dev.holdfast.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a machine is made from.
 *
 * @param generation 2 on gVisor, 1 on the host's own runc ({@link Generation})
 * @param build the runsc build that runs it; a checkpoint can only be restored with the build that
 *     wrote it; null for generation 1
 * @param template an immutable squashfs image; shared read-only by every machine made from it
 * @param egress what it may reach outside
 * @param agent the command line of its first process; on a restore the image's own is used
 * @param shares directories of the host's that it sees; a restore needs one for each that its image
 *     has
 */
public record MachineSpec(
        MachineId id,
        Generation generation,
        Path build,
        Path template,
        Limits limits,
        Egress egress,
        String hostname,
        List<String> agent,
        List<Share> shares) {
    private static final Pattern HOSTNAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    public MachineSpec {
        if (id == null || generation == null || limits == null || egress == null) {
            throw new IllegalArgumentException(
                    "A machine needs an ID, a generation, limits and an egress");
        }
        boolean built = build == null ? generation.isLight() : build.isAbsolute();
        if (!built || template == null || !template.isAbsolute()) {
            throw new IllegalArgumentException("Build and template are absolute paths");
        }
        if (hostname == null || !HOSTNAME.matcher(hostname).matches()) {
            throw new IllegalArgumentException("Not a host name: " + hostname);
        }
        agent = List.copyOf(agent);
        if (agent.isEmpty()) {
            throw new IllegalArgumentException("A machine needs a first process");
        }
        shares = List.copyOf(shares);
        if (generation.isLight() && !shares.isEmpty()) {
            throw new IllegalArgumentException("Machines of generation 1 share no directories");
        }
    }

    /** Without shares. */
    public MachineSpec(
            MachineId id,
            Generation generation,
            Path build,
            Path template,
            Limits limits,
            Egress egress,
            String hostname,
            List<String> agent) {
        this(id, generation, build, template, limits, egress, hostname, agent, List.of());
    }

    /** The same with these directories of the host's. */
    public MachineSpec sharing(List<Share> directories) {
        return new MachineSpec(
                id, generation, build, template, limits, egress, hostname, agent, directories);
    }

    /**
     * A directory of the host's, which is no part of a checkpoint.
     *
     * @param source null: an empty one of the machine's own, on its disk
     * @param where its path in the machine
     */
    public record Share(Path source, String where) {
        public Share {
            if (source != null && !source.isAbsolute() || !where.startsWith("/")) {
                throw new IllegalArgumentException("Both ends of a share are absolute paths");
            }
        }
    }

    /**
     * What a machine may use at most.
     *
     * @param memory bytes, the sandbox kernel's own included; going past it ends the machine
     * @param cpus processors' worth of time
     * @param processes processes of one ordinary user inside; root inside is held by a wider guard
     *     that ends the machine
     * @param disk bytes written on top of the template; going past it is an error inside
     */
    public record Limits(long memory, double cpus, int processes, long disk) {
        private static final long MIB = 1024L * 1024;

        public Limits {
            if (memory < 64 * MIB || disk < 16 * MIB || processes < 8) {
                throw new IllegalArgumentException(
                        "A machine needs at least 64 MiB memory, 16 MiB disk and 8 processes");
            }
            if (!(cpus >= 0.05 && cpus <= 1024) || processes > 100_000) {
                throw new IllegalArgumentException("Limits out of range");
            }
        }

        /**
         * Tasks on the host: the sandbox kernel takes about 20 for itself and at least two for each
         * process inside. Ten times the inner limit never bites before the inner one does.
         */
        int hostTasks() {
            return 64 + 10 * processes;
        }
    }
}
