package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The name forwarders of machines that know some names only: one each, so that none learns or opens
 * what another may reach, and none can be kept busy by another. There are as many as there are such
 * machines at the most. Each leaves its process number in a file, for the next run to find.
 */
final class Names {
    private static final String SUFFIX = ".pid";

    private final Path directory;
    private final Network network;
    private final Firewall firewall;
    private final Map<Integer, Forwarder> forwarders = new ConcurrentHashMap<>();

    Names(Path directory, Network network, Firewall firewall) {
        this.directory = directory;
        this.network = network;
        this.firewall = firewall;
    }

    /** Ends what an earlier run left; machines that live on get new ones. */
    void forget() {
        for (Path pidFile : Trees.children(directory)) {
            if (pidFile.toString().endsWith(SUFFIX)) {
                Forwarder.kill(pidFile);
            }
            Trees.remove(pidFile);
        }
    }

    /** Returns when the machine's names are answered; does nothing for one without a list. */
    void serve(int slot, Egress egress) {
        if (egress.names().isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Forwarder forwarder =
                Forwarder.ofNames(
                        directory.resolve(slot + SUFFIX),
                        network.gateway(slot),
                        network.forwarder(),
                        egress.names(),
                        firewall.namesOf(slot));
        forwarders.put(slot, forwarder);
        forwarder.openAndAwait();
    }

    void stop(int slot) {
        Forwarder forwarder = forwarders.remove(slot);
        if (forwarder != null) {
            forwarder.close();
        }
    }

    void close() {
        forwarders.keySet().forEach(this::stop);
    }

    /** Leaves them running for the next run of the server, as a crash would. */
    void leave() {
        forwarders.values().forEach(Forwarder::leave);
    }
}
