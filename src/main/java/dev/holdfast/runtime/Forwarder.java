package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Name resolution: a dnsmasq as an ordinary user, started again if it ends. The instance has one on
 * its own address, for machines that may go out and as the only one that asks the world; it gives
 * no answers that point into private ranges. A machine with a list of names has one more, on its
 * gateway's address: that one knows no other name, and puts each address that it answers into the
 * machine's set before it answers.
 */
final class Forwarder {
    private static final System.Logger LOG = System.getLogger(Forwarder.class.getName());
    private static final long RETRY_SECONDS = 2;

    /** No answer lives longer than this many seconds, so a machine asks again in time. */
    private static final int LONGEST_ANSWER = 300;

    private static final Duration READY = Duration.ofSeconds(5);
    private static final int PORT = 53;

    private final Path pidFile;
    private final InetAddress address;
    private final List<String> line;
    private Process process;
    private boolean open;

    private Forwarder(Path pidFile, InetAddress address, List<String> own) {
        this.pidFile = pidFile;
        this.address = address;
        var line =
                new ArrayList<>(
                        List.of(
                                "dnsmasq",
                                "--keep-in-foreground",
                                "--conf-file=/dev/null",
                                "--pid-file=",
                                "--user=dnsmasq",
                                "--group=nogroup",
                                "--bind-interfaces",
                                "--listen-address=" + address.getHostAddress(),
                                "--no-hosts",
                                "--filter-AAAA",
                                "--dns-forward-max=300",
                                // Any file it would make its user's own, a device too.
                                "--log-facility=-"));
        line.addAll(own);
        this.line = List.copyOf(line);
    }

    /** The one that asks the host's name servers. */
    static Forwarder ofInstance(Path worker, Network network, Path resolver) {
        return new Forwarder(
                worker.resolve("forwarder.pid"),
                network.forwarder(),
                List.of("--resolv-file=" + resolver, "--stop-dns-rebind", "--cache-size=1000"));
    }

    /**
     * The one of a machine that knows some names only.
     *
     * @param set where the addresses of the names go, in dnsmasq's words
     */
    static Forwarder ofNames(
            Path pidFile,
            InetAddress address,
            InetAddress upstream,
            List<String> names,
            String set) {
        return new Forwarder(pidFile, address, only(names, upstream.getHostAddress(), set));
    }

    /**
     * dnsmasq takes a name for all names below it too, and lets the longer match win; so a name
     * that stands alone gets a second line that shuts what is below. A name under a pattern needs
     * no line of its own.
     */
    static List<String> only(List<String> names, String upstream, String set) {
        List<String> below =
                names.stream()
                        .filter(name -> name.startsWith("*."))
                        .map(name -> name.substring(1))
                        .toList();
        var lines =
                new ArrayList<>(
                        List.of(
                                "--no-resolv",
                                "--cache-size=0",
                                "--max-ttl=" + LONGEST_ANSWER,
                                "--address=/#/"));
        var domains = new ArrayList<String>();
        for (String name : names) {
            boolean pattern = name.startsWith("*.");
            if (pattern) {
                domains.add(name.substring(2));
            } else if (below.stream().noneMatch(name::endsWith)) {
                domains.add(name);
                if (!below.contains("." + name)) {
                    lines.add("--address=/*." + name + "/");
                }
            } else {
                continue;
            }
            lines.add("--server=/" + name + "/" + upstream);
        }
        lines.add("--nftset=/" + String.join("/", domains) + "/4#" + set);
        return lines;
    }

    synchronized void open() {
        kill(pidFile);
        open = true;
        launch();
    }

    /** Returns once it answers. */
    void openAndAwait() {
        open();
        long end = System.nanoTime() + READY.toNanos();
        while (!answers()) {
            if (System.nanoTime() > end) {
                throw new MachineFailure(
                        MachineFailure.Reason.FAILED,
                        "The name forwarder on " + address.getHostAddress() + " does not answer");
            }
        }
    }

    /** Asks for a name that nobody has; any answer will do. */
    private boolean answers() {
        byte[] question = HexFormat.of().parseHex("4846" + "010000010000000000000000010001");
        try (var socket = new DatagramSocket()) {
            socket.connect(address, PORT);
            socket.setSoTimeout(50);
            socket.send(new DatagramPacket(question, question.length));
            socket.receive(new DatagramPacket(new byte[512], 512));
            return true;
        } catch (PortUnreachableException | SocketTimeoutException notYet) {
            pause();
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineFailure(MachineFailure.Reason.FAILED, "Interrupted");
        }
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
        process = Command.startSilent(line);
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

    /** Ends the process that an earlier run noted down, if it is still the same. */
    static void kill(Path pidFile) {
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
