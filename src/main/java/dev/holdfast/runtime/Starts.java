package dev.holdfast.runtime;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Makes a machine out of a slot. What fails half-way is the caller's to have removed. */
final class Starts {
    private final Host host;
    private final Clock clock;
    private final Duration deadline;

    Starts(Host host, Clock clock, Duration deadline) {
        this.host = host;
        this.clock = clock;
        this.deadline = deadline;
    }

    /**
     * @param image what it goes on from; null for a fresh one
     */
    void start(Cell cell, MachineSpec spec, Path image, Function<Engine, List<String>> line) {
        cell.requireStarting();
        try {
            Registration planned = moveIn(cell, spec);
            writeBundle(cell, spec, image, planned);
            Engine engine = Engine.of(planned, cell, host);
            Process starter = cell.launch(staged(line.apply(engine), cell, spec));
            // While that works; the machine is not told of before its link is open.
            host.egress(planned.slot(), spec.egress());
            Command done = Command.await(starter, deadline);
            cell.requireStarting();
            if (done.late()) {
                throw new MachineFailure(
                        MachineFailure.Reason.LATE,
                        "Machine " + cell.id() + " did not start by the deadline of the command");
            }
            if (done.failed()) {
                throw failed(cell, spec, "its start ended with " + done.code(), engine);
            }
            long pid = Long.parseLong(Files.readString(Path.of(cell.pidFile())).strip());
            long bornAt =
                    Registration.bornAt(pid)
                            .orElseThrow(() -> failed(cell, spec, "ended at once", engine));
            Registration born = planned.born(pid, bornAt, clock.instant());
            born.write(cell.directory());
            cell.started(born);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + cell.id(), e);
        }
    }

    /** The record is in the slot before it becomes the machine's directory: one step, no gap. */
    private Registration moveIn(Cell cell, MachineSpec spec) throws IOException {
        Slot slot = host.slots().take(spec.limits().disk());
        try {
            var planned =
                    new Registration(
                            spec.id(),
                            spec.generation(),
                            slot.number(),
                            host.network().block(),
                            spec.build(),
                            spec.template(),
                            spec.egress(),
                            spec.limits().memory(),
                            0,
                            0,
                            clock.instant());
            planned.write(slot.directory());
            Files.createDirectories(cell.directory().getParent());
            Files.move(slot.directory(), cell.directory(), StandardCopyOption.ATOMIC_MOVE);
            return planned;
        } catch (IOException | RuntimeException e) {
            host.slots().remove(slot.directory(), slot.number());
            throw e;
        }
    }

    private void writeBundle(Cell cell, MachineSpec spec, Path image, Registration planned)
            throws IOException {
        Path root = host.templates().acquire(spec.template());
        cell.holdTemplate(spec.template());
        String namespace = host.network().name(planned.slot());
        var limits = Bundle.resources(spec.limits(), host.cgroups().limitsSwap());
        String cgroup = host.cgroups().path(spec.id());
        JsonObject bundle =
                spec.generation().isLight()
                        ? new LightBundle(
                                        spec,
                                        host.stage(),
                                        namespace,
                                        cgroup,
                                        limits,
                                        Runc.firstId(planned.slot()))
                                .json()
                        : new Bundle(
                                        spec,
                                        spec.shares().isEmpty() ? root : Stage.root(host.stage()),
                                        namespace,
                                        cgroup,
                                        limits,
                                        sources(cell, spec, image))
                                .json();
        Files.writeString(Path.of(cell.bundle(), "config.json"), bundle.toString());
    }

    /**
     * A directory for each share that names none, with nothing but stand-ins for what was open
     * there, bounded as all that it writes is.
     */
    private static List<MachineSpec.Share> sources(Cell cell, MachineSpec spec, Path image)
            throws IOException {
        List<MachineSpec.Share> shares = new ArrayList<>();
        for (MachineSpec.Share share : spec.shares()) {
            Path own = cell.disk().resolve("share-" + shares.size());
            if (share.source() == null) {
                Files.createDirectory(own);
                if (image != null) {
                    Standins.lay(image, share.where(), own);
                }
            }
            shares.add(share.source() == null ? new MachineSpec.Share(own, share.where()) : share);
        }
        return shares;
    }

    private List<String> staged(List<String> line, Cell cell, MachineSpec spec) {
        return spec.shares().isEmpty()
                ? line
                : Stage.around(
                        line,
                        cell.errors(),
                        host.stage(),
                        host.templates().point(spec.template()),
                        cell.disk());
    }

    /** A guest may have written among the words; the worst that it gains is another reason. */
    private static MachineFailure failed(Cell cell, MachineSpec spec, String how, Engine engine) {
        String words = engine.errors();
        boolean gone = !spec.shares().isEmpty() && words.contains("no such file or directory");
        return new MachineFailure(
                gone ? MachineFailure.Reason.FILE_GONE : MachineFailure.Reason.FAILED,
                "Machine " + cell.id() + " did not start, " + how + ": " + words);
    }
}
