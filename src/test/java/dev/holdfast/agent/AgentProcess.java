package dev.holdfast.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The real Python agent on real FIFOs, as process 1 of a PID namespace and with an /etc, a /run and
 * a host name that it may change, with the ordinary user that every template has, but without a
 * sandbox around it.
 */
final class AgentProcess implements AutoCloseable {

    private static final String START =
            "i=$1 o=$2 e=$3; shift 3; exec unshare --fork --pid --uts --mount-proc --kill-child=KILL sh -c '"
                    + "mount -t tmpfs none /run && mkdir /run/upper /run/work"
                    + " && mount -t overlay none -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc"
                    + " && echo user:x:0:0::/tmp:/bin/bash >> /etc/passwd"
                    + " && exec /usr/bin/python3 -I -S -B \"$@\"' sh \"$@\" <>\"$i\" 1<>\"$o\" 2>\"$e\"";

    private static final String DIRECTORY =
            Path.of("src/main/sandbox/agent").toAbsolutePath().toString();

    private final Process process;

    private AgentProcess(Process process) {
        this.process = process;
    }

    static AgentProcess start(Fifos fifos) throws IOException {
        return run(fifos, DIRECTORY);
    }

    /**
     * The same agent, but patient for so many seconds only with a follower that holds up output.
     */
    static AgentProcess impatient(Fifos fifos, int seconds) throws IOException {
        var changed =
                "import sys, runpy; sys.path.insert(0, sys.argv[1]); import processes;"
                        + " processes.STALLED = int(sys.argv[2]); runpy.run_path(sys.argv[1], run_name='__main__')";
        return run(fifos, "-c", changed, DIRECTORY, Integer.toString(seconds));
    }

    private static AgentProcess run(Fifos fifos, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("/bin/sh", "-c", START, "sh"));
        command.addAll(List.of(fifos.in().toString(), fifos.out().toString()));
        command.add(fifos.err().toString());
        command.addAll(List.of(arguments));
        return new AgentProcess(new ProcessBuilder(command).start());
    }

    /** What the agent, the largest of its processes, keeps in memory, in bytes. */
    long residentBytes() {
        return process.descendants().mapToLong(AgentProcess::resident).max().orElse(0);
    }

    private static long resident(ProcessHandle handle) {
        try {
            var pages = Files.readString(Path.of("/proc/" + handle.pid() + "/statm")).split(" ")[1];
            return Long.parseLong(pages) * 4096;
        } catch (IOException ended) {
            return 0;
        }
    }

    @Override
    public void close() throws InterruptedException {
        // By name as well: unshare may be killed before it has arranged that its child dies with
        // it.
        var all = process.descendants().toList();
        process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        process.waitFor(10, TimeUnit.SECONDS);
    }
}
