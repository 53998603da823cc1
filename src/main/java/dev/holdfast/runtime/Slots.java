package dev.holdfast.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.BitSet;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Slots made ahead by a thread in the background, because a link takes 150 ms and a disk 90. A slot
 * is used once. Numbers are handed out in a circle: late packets for an ended machine's address
 * find nobody for a long while.
 */
final class Slots {
    private static final System.Logger LOG = System.getLogger(Slots.class.getName());

    /**
     * A start frees a place and then needs the processors itself: the next one is made after it.
     */
    private static final Duration BREATH = Duration.ofSeconds(1);

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final RuntimeConfig config;
    private final Network network;
    private final Firewall firewall;
    private final Names names;
    private final Path directory;
    private final BitSet taken = new BitSet();
    private final Deque<Slot> ready = new ConcurrentLinkedDeque<>();
    private Thread maker;
    private int last;
    private boolean open;

    Slots(RuntimeConfig config, Network network, Firewall firewall, Names names) {
        this.config = config;
        this.network = network;
        this.firewall = firewall;
        this.names = names;
        this.directory = config.worker().resolve("slots");
    }

    Path directory() {
        return directory;
    }

    synchronized void open() {
        open = true;
        maker = new Thread(this::keepFull, "holdfast-slots");
        maker.setDaemon(true);
        maker.start();
    }

    /** No slot is made after this returns; the ready ones are still there. */
    void close() {
        Thread thread;
        synchronized (this) {
            open = false;
            notifyAll();
            thread = maker;
        }
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void mark(int number) {
        taken.set(number);
        last = Math.max(last, number);
    }

    synchronized void free(int number) {
        taken.clear(number);
    }

    /** A ready one if it has the size asked for, else a new one. */
    Slot take(long disk) {
        Slot slot = disk == config.disk() ? ready.pollFirst() : null;
        synchronized (this) {
            notifyAll();
        }
        return slot != null ? slot : make(disk);
    }

    private void keepFull() {
        while (awaitRoom()) {
            if (!ready.isEmpty()) {
                pause(BREATH);
            }
            try {
                ready.addLast(make(config.disk()));
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "Cannot prepare a slot; trying again", e);
                pause(RETRY);
            }
        }
    }

    private synchronized boolean awaitRoom() {
        try {
            while (open && ready.size() >= config.pool()) {
                wait();
            }
        } catch (InterruptedException e) {
            open = false;
        }
        return open;
    }

    private synchronized void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        try {
            for (long left = length.toMillis(); open && left > 0; ) {
                wait(left);
                left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            }
        } catch (InterruptedException e) {
            open = false;
        }
    }

    /** All or nothing: what was made of a failed one is removed at the next sweep at the latest. */
    private Slot make(long disk) {
        int number = nextNumber();
        Path home = directory.resolve(Integer.toString(number));
        try {
            Files.createDirectories(directory);
            Files.createDirectory(
                    home,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            Files.writeString(home.resolve(Slot.NUMBER), number + "\n");
            Command.must("mkfifo", "-m", "600", home + "/in", home + "/out");
            Files.createDirectory(home.resolve("bundle"));
            Files.createDirectory(home.resolve("state"));
            link(number);
            firewall.add(number);
            disk(home, disk);
            return new Slot(number, disk, home);
        } catch (IOException e) {
            removeQuietly(home, number);
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            removeQuietly(home, number);
            throw e;
        }
    }

    private void link(int number) {
        String name = network.name(number);
        String gateway = network.gateway(number).getHostAddress();
        String inside = network.inside(number).getHostAddress();
        Command.must("ip", "netns", "add", name);
        Command.feed(
                        """
                        link add %1$s type veth peer name eth0 netns %1$s
                        addr add %2$s/30 dev %1$s
                        link set %1$s up
                        """
                                .formatted(name, gateway),
                        "ip",
                        "-batch",
                        "-")
                .orThrow("ip");
        Command.feed(
                        """
                        link set lo up
                        addr add %1$s/30 dev eth0
                        link set eth0 up
                        route add default via %2$s
                        """
                                .formatted(inside, gateway),
                        "ip",
                        "-n",
                        name,
                        "-batch",
                        "-")
                .orThrow("ip");
    }

    private static void disk(Path home, long size) throws IOException {
        Path image = home.resolve("disk.img");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(size);
        }
        Command.must(
                "mkfs.ext4",
                "-q",
                "-F",
                "-m",
                "0",
                "-O",
                "^has_journal",
                "-E",
                "nodiscard,lazy_itable_init=1",
                image.toString());
        Mounts.disk(image, home.resolve("disk"));
    }

    /** The reverse of {@link #make}, for a slot directory wherever it went. Idempotent. */
    void remove(Path home, int number) {
        Mounts.unmount(home.resolve("disk"));
        names.stop(number);
        firewall.remove(number);
        unlink(network.name(number));
        Trees.remove(home);
        free(number);
    }

    /** The device first: with its namespace alone it would go some time later. */
    static void unlink(String name) {
        if (Files.exists(Network.INTERFACES.resolve(name))) {
            Command.must("ip", "link", "del", name);
        }
        if (Files.exists(Path.of("/run/netns", name))) {
            Command.must("ip", "netns", "del", name);
        }
    }

    private void removeQuietly(Path home, int number) {
        try {
            remove(home, number);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "Left for the next sweep: " + home, e);
        }
    }

    private synchronized int nextNumber() {
        for (int i = 0; i < Network.SLOTS; i++) {
            last = last % Network.SLOTS + 1;
            if (!taken.get(last) && !Files.exists(directory.resolve(Integer.toString(last)))) {
                taken.set(last);
                return last;
            }
        }
        throw new MachineFailure(MachineFailure.Reason.BUSY, "All addresses are in use");
    }
}
