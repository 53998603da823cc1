package dev.holdfast.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The real Python agent on real FIFOs, as process 1 of a PID namespace and with an /etc, a /run and
 * a host name that it may change, but without a sandbox around it.
 */
final class AgentProcess implements AutoCloseable {

    private static final String START =
            "i=$1 o=$2 e=$3 agent=$4; exec unshare --fork --pid --uts --mount-proc --kill-child=KILL sh -c '"
                    + "mount -t tmpfs none /run && mkdir /run/upper /run/work"
                    + " && mount -t overlay none -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc"
                    + " && exec /usr/bin/python3 -I -S -B \"$1\"' sh \"$agent\" <>\"$i\" 1<>\"$o\" 2>\"$e\"";

    private final Process process;

    private AgentProcess(Process process) {
        this.process = process;
    }

    static AgentProcess start(Fifos fifos) throws IOException {
        var process =
                new ProcessBuilder(
                                "/bin/sh",
                                "-c",
                                START,
                                "sh",
                                fifos.in().toString(),
                                fifos.out().toString(),
                                fifos.err().toString(),
                                Path.of("src/main/sandbox/agent").toAbsolutePath().toString())
                        .start();
        return new AgentProcess(process);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }
}
