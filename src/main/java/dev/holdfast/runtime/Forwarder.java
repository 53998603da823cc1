package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Name resolution for machines that may go out: one dnsmasq per instance on the instance's own
 * address, as an ordinary user, started again if it ends. It gives no answers that point into
 * private ranges.
 */
final class Forwarder {
    private static final System.Logger LOG = System.getLogger(Forwarder.class.getName());
    private static final long RETRY_SECONDS = 2;

    private final Path pidFile;
    private final List<String> line;
    private Process process;
    private boolean open;

    Forwarder(Path worker, Network network, Path resolver) {
        this.pidFile = worker.resolve("forwarder.pid");
        this.line =
                List.of(
                        "dnsmasq",
                        "--keep-in-foreground",
                        "--conf-file=/dev/null",
                        "--pid-file=",
                        "--user=dnsmasq",
                        "--group=nogroup",
                        "--bind-interfaces",
                        "--listen-address=" + network.forwarder().getHostAddress(),
                        "--no-hosts",
                        "--resolv-file=" + resolver,
                        "--stop-dns-rebind",
                        "--filter-AAAA",
                        "--cache-size=1000",
                        "--dns-forward-max=300",
                        "--log-facility=/dev/null");
    }

    synchronized void open() {
        killPredecessor();
        open = true;
        launch();
    }

    synchronized void close() {
        open = false;
        if (process != null) {
            process.destroyForcibly();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        Trees.remove(pidFile);
    }

    /** Leaves it running for the next run of the server, as a crash would. */
    synchronized void leave() {
        open = false;
    }

    private void launch() {
        process = Command.start(line);
        try {
            process.getOutputStream().close();
            long bornAt = Registration.bornAt(process.pid()).orElse(0L);
            Files.writeString(pidFile, process.pid() + " " + bornAt + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process.onExit()
                .thenRunAsync(
                        this::restart,
                        CompletableFuture.delayedExecutor(RETRY_SECONDS, TimeUnit.SECONDS));
    }

    private synchronized void restart() {
        if (open && !process.isAlive()) {
            LOG.log(System.Logger.Level.WARNING, "The name forwarder ended; starting it again");
            try {
                launch();
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, "The name forwarder does not start", e);
            }
        }
    }

    private void killPredecessor() {
        try {
            if (Files.exists(pidFile)) {
                String[] known = Files.readString(pidFile).strip().split(" ");
                if (known.length != 2) {
                    return; // written by half when the machine stopped
                }
                long pid = Long.parseLong(known[0]);
                if (Registration.bornAt(pid).filter(Long.valueOf(known[1])::equals).isPresent()) {
                    var predecessor = ProcessHandle.of(pid);
                    predecessor.ifPresent(ProcessHandle::destroyForcibly);
                    predecessor.ifPresent(
                            one -> one.onExit().orTimeout(5, TimeUnit.SECONDS).join());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
