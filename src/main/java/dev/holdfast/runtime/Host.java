package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Everything this instance has on the host outside its machines, and the one way to remove it. */
final class Host {
    private static final System.Logger LOG = System.getLogger(Host.class.getName());
    private static final Path FORWARDING = Path.of("/proc/sys/net/ipv4/ip_forward");

    /** Where runsc puts its control socket when the path of the state directory is too long. */
    private static final List<Path> SOCKETS = List.of(Path.of("/run"), Path.of("/tmp"));

    private final RuntimeConfig config;
    private final Network network;
    private final Cgroups cgroups;
    private final Firewall firewall;
    private final Forwarder forwarder;
    private final Names names;
    private final Templates templates;
    private final Slots slots;

    private Host(RuntimeConfig config, Network network, Cgroups cgroups) {
        this.config = config;
        this.network = network;
        this.cgroups = cgroups;
        this.firewall = new Firewall(network);
        this.forwarder = Forwarder.ofInstance(config.worker(), network, config.resolver());
        this.names = new Names(config.worker().resolve("names"), network, firewall);
        this.templates = new Templates(config.worker().resolve("templates"));
        this.slots = new Slots(config, network, firewall, names);
    }

    /** Rules first: from here on an interface of ours that nobody spoke for is shut. */
    static Host prepare(RuntimeConfig config, Cgroups cgroups, Collection<Registration> live) {
        cgroups.prepare();
        var host =
                new Host(
                        config,
                        Network.claim(config.instance(), config.worker().resolve("block")),
                        cgroups);
        Map<Integer, Egress> egress =
                live.stream().collect(Collectors.toMap(Registration::slot, Registration::egress));
        host.names.forget();
        host.firewall.install(egress);
        for (Registration record : live) {
            host.slots.mark(record.slot());
            host.templates.acquire(record.template());
        }
        try {
            if (!Files.readString(FORWARDING).strip().equals("1")) {
                Files.writeString(FORWARDING, "1");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot turn on forwarding", e);
        }
        return host;
    }

    void open(Collection<Registration> live) {
        forwarder.open();
        live.forEach(record -> attempt(() -> names.serve(record.slot(), record.egress())));
        slots.open();
    }

    /**
     * An empty directory that the start of a light machine mounts over, where nobody else sees it:
     * the way to its root must be open to the machine's own users, and that to our home is not.
     */
    Path stage() {
        return Path.of("/run", "holdfast-" + config.instance());
    }

    Network network() {
        return network;
    }

    Cgroups cgroups() {
        return cgroups;
    }

    /**
     * Replaces what a machine may reach, at once and for open connections too. Its own name
     * forwarder is stopped before and started after: what it still has under way must not open
     * anything.
     */
    void egress(int slot, Egress egress) {
        names.stop(slot);
        firewall.egress(slot, egress);
        names.serve(slot, egress);
    }

    /** Puts the rules back if others changed them; true if that was needed. */
    boolean restoreRules() {
        return firewall.restoreIfChanged();
    }

    Templates templates() {
        return templates;
    }

    Slots slots() {
        return slots;
    }

    /**
     * All of a machine or of a slot, in reverse order of making. Idempotent. The directory goes
     * last: while it is there a later run knows what else to look for.
     */
    void remove(Path directory) {
        MachineId.of(directory.getFileName().toString())
                .ifPresent(
                        id -> {
                            cgroups.kill(id);
                            Registration.read(directory)
                                    .filter(Registration::alive)
                                    .ifPresent(Host::kill);
                            cgroups.remove(id);
                            SOCKETS.forEach(
                                    dir -> Trees.remove(dir.resolve("runsc-" + id + ".sock")));
                        });
        Optional<Integer> slot = slotOf(directory);
        if (slot.isPresent()) {
            slots.remove(directory, slot.get());
        } else {
            Mounts.under(directory).forEach(Mounts::unmount);
            Trees.remove(directory);
        }
    }

    /** Everything that carries our instance's ID and belongs to none of these machines. */
    void sweep(Set<MachineId> keep, Set<Integer> keepSlots) {
        cgroups.children().stream().filter(not(keep)).forEach(cgroups::kill);
        for (Path directory : Trees.children(config.worker().resolve("machines"))) {
            if (MachineId.of(directory.getFileName().toString()).filter(keep::contains).isEmpty()) {
                attempt(() -> remove(directory));
            }
        }
        Trees.children(slots.directory()).forEach(slot -> attempt(() -> remove(slot)));
        cgroups.children().stream()
                .filter(not(keep))
                .forEach(id -> attempt(() -> cgroups.remove(id)));
        Set<String> names = keepSlots.stream().map(network::name).collect(Collectors.toSet());
        for (Path place : List.of(Network.INTERFACES, Path.of("/run/netns"))) {
            for (Path entry : Trees.children(place)) {
                String name = entry.getFileName().toString();
                if (name.startsWith(network.prefix()) && !names.contains(name)) {
                    attempt(() -> Slots.unlink(name));
                }
            }
        }
        attempt(() -> Mounts.detachUnder(config.worker()));
        attempt(templates::trim);
    }

    /** After the machines: all the rest. */
    void close() {
        slots.close();
        sweep(Set.of(), Set.of());
        attempt(names::close);
        attempt(forwarder::close);
        attempt(firewall::uninstall);
        attempt(network::release);
        attempt(cgroups::removeParent);
        attempt(() -> Trees.remove(stage()));
        for (String name : List.of("machines", "slots", "templates", "names")) {
            attempt(() -> Trees.remove(config.worker().resolve(name)));
        }
    }

    /** Stops making things, removes nothing. */
    void leave() {
        slots.close();
        names.leave();
        forwarder.leave();
    }

    private static void kill(Registration record) {
        ProcessHandle.of(record.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static Optional<Integer> slotOf(Path directory) {
        try {
            Path file = directory.resolve(Slot.NUMBER);
            return Files.exists(file)
                    ? Optional.of(Integer.valueOf(Files.readString(file).strip()))
                    : Optional.empty();
        } catch (IOException | NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    private static Predicate<MachineId> not(Set<MachineId> keep) {
        return id -> !keep.contains(id);
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "Left behind for the next sweep", e);
        }
    }
}
