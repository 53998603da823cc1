package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Machines on gVisor and, where that is turned on, light ones on runc. One per home directory at a
 * time.
 */
public final class RunscRuntime implements SandboxRuntime {
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    private final RuntimeConfig config;
    private final Clock clock;
    private final Home home;
    private final Cgroups cgroups;
    private final Checklist checklist;
    private final Turns starts;
    private final Turns checkpoints;
    private final Checkpoints writer;
    private final Map<MachineId, Cell> cells = new ConcurrentHashMap<>();
    private final List<Consumer<MachineEnd>> listeners = new CopyOnWriteArrayList<>();
    private volatile Host host;
    private volatile Endings endings;
    private volatile Watch watch;
    private volatile boolean closed;

    /** Reads what an earlier run left; changes nothing yet. */
    public static RunscRuntime open(RuntimeConfig config, Clock clock) {
        return new RunscRuntime(config, clock);
    }

    private RunscRuntime(RuntimeConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
        this.home = Home.hold(config.worker());
        this.cgroups = new Cgroups(CGROUPS, config.instance());
        this.checklist = new Checklist(config.build(), config.generation1(), cgroups, clock);
        this.starts = new Turns(config.starts(), config.patience());
        this.checkpoints = new Turns(config.checkpoints(), config.patience());
        this.writer = new Checkpoints(config.deadline());
        for (Path directory : Trees.children(machines())) {
            Registration.read(directory)
                    .filter(record -> directory.endsWith(record.id().value()))
                    .filter(Registration::alive)
                    .ifPresent(record -> cells.put(record.id(), new Cell(directory, record)));
        }
    }

    @Override
    public Readiness readiness() {
        var missing = new ArrayList<>(checklist.missing());
        if (closed) {
            missing.add("the runtime is closed");
        } else if (watch == null) {
            missing.add("machines of the last run are not yet adopted or removed");
        }
        return new Readiness(missing, checklist.missingForLight());
    }

    @Override
    public Machine start(MachineSpec spec) {
        requireOn(spec.generation());
        return make(spec, null, Engine::run);
    }

    @Override
    public Machine restore(MachineSpec spec, Path image) {
        if (spec.generation().isLight()) {
            throw savesNothing(spec.id());
        }
        if (!Files.isDirectory(image)) {
            throw new MachineFailure(MachineFailure.Reason.FAILED, "No checkpoint in " + image);
        }
        return make(spec, image, engine -> ((Runsc) engine).restore(image));
    }

    @Override
    public Checkpoint checkpoint(MachineId id, Path directory) {
        return alone(
                id,
                cell -> {
                    if (cell.record().generation().isLight()) {
                        throw savesNothing(id);
                    }
                    return checkpoints.take(() -> writer.write(cell, directory));
                });
    }

    @Override
    public void pause(MachineId id) {
        alone(id, cell -> reach(cell, "paused", Engine::pause));
    }

    @Override
    public void resume(MachineId id) {
        alone(id, cell -> reach(cell, "running", Engine::resume));
    }

    @Override
    public void kill(MachineId id) {
        Cell cell = cells.get(id);
        if (cell != null && endings != null) {
            endings.kill(cell);
        } else {
            cgroups.kill(id);
        }
    }

    @Override
    public List<Machine> running() {
        return cells.values().stream().filter(Cell::live).map(this::machine).toList();
    }

    @Override
    public synchronized List<Machine> adopt(Set<MachineId> keep) {
        if (closed || watch != null) {
            throw new IllegalStateException("Adoption happens once, before the first start");
        }
        if (!checklist.missing().isEmpty()) {
            throw notReady(checklist.missing());
        }
        cells.values().removeIf(cell -> !keep.contains(cell.id()) || !cell.record().alive());
        List<Registration> live = cells.values().stream().map(Cell::record).toList();
        host = Host.prepare(config, cgroups, live);
        host.sweep(
                Set.copyOf(cells.keySet()),
                live.stream().map(Registration::slot).collect(Collectors.toSet()));
        endings = new Endings(host, cells, clock, listeners);
        for (Cell cell : cells.values()) {
            cell.adopt();
        }
        host.open(live);
        watch = new Watch(cells::values, host, endings::ended);
        watch.open(config.tick());
        return running();
    }

    @Override
    public synchronized void onEnd(Consumer<MachineEnd> listener) {
        listeners.add(listener);
        if (endings != null) {
            endings.onEnd(listener);
        }
    }

    @Override
    public Usage usage(MachineId id) {
        Cell cell = cell(id);
        long memoryLimit = cell.requireRunning().memory();
        try {
            var disk = Files.getFileStore(cell.disk());
            return new Usage(
                    cgroups.cpu(id),
                    cgroups.memory(id),
                    memoryLimit,
                    disk.getTotalSpace() - disk.getUnallocatedSpace(),
                    disk.getTotalSpace(),
                    cgroups.tasks(id));
        } catch (IOException e) {
            throw cell.gone("ended meanwhile");
        }
    }

    @Override
    public void network(MachineId id, Egress egress) {
        alone(
                id,
                cell -> {
                    Registration before = cell.record();
                    if (!before.egress().equals(egress)) {
                        // Who dies in between leaves a record that is never too open.
                        write(cell, before.withEgress(Egress.NOTHING));
                        change(cell, before.egress(), egress);
                    }
                    return cell;
                });
    }

    private void change(Cell cell, Egress before, Egress egress) {
        int slot = cell.record().slot();
        try {
            host.egress(slot, egress);
            write(cell, cell.record().withEgress(egress));
        } catch (RuntimeException e) {
            host.egress(slot, before);
            write(cell, cell.record().withEgress(before));
            throw e;
        }
    }

    @Override
    public void close() {
        stop();
        if (host != null) {
            cells.values().parallelStream().forEach(endings::kill);
            endings.close();
            host.close();
        }
        home.close();
    }

    /** Lets go of everything and leaves it as it is, for a later run to adopt. */
    public void leave() {
        stop();
        if (host != null) {
            endings.close();
            host.leave();
        }
        home.close();
    }

    private synchronized void stop() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
    }

    private Machine make(MachineSpec spec, Path image, Function<Engine, List<String>> line) {
        requireReady();
        var cell = new Cell(spec.id(), machines().resolve(spec.id().value()));
        if (cells.putIfAbsent(spec.id(), cell) != null) {
            throw new MachineFailure(MachineFailure.Reason.EXISTS, "In use: " + spec.id());
        }
        try {
            // A close in between has not seen this cell.
            requireReady();
            starts.take(
                    () -> {
                        new Starts(host, clock, config.deadline()).start(cell, spec, image, line);
                        return cell;
                    });
            return machine(cell);
        } catch (RuntimeException e) {
            endings.abandon(cell);
            throw e;
        }
    }

    /** One at a time for one machine, and only while it runs. A kill does not wait for it. */
    private <T> T alone(MachineId id, Function<Cell, T> work) {
        Cell cell = cell(id);
        cell.work().lock();
        try {
            cell.requireRunning();
            return work.apply(cell);
        } finally {
            cell.work().unlock();
        }
    }

    private Cell reach(Cell cell, String status, Function<Engine, Command> command) {
        Engine engine = Engine.of(cell.requireRunning(), cell, host);
        Command done = command.apply(engine);
        if (done.failed() && !engine.is(status)) {
            if (!cell.live() || !cell.record().alive()) {
                throw cell.gone("ended meanwhile");
            }
            throw new MachineFailure(
                    MachineFailure.Reason.FAILED,
                    "Machine "
                            + cell.id()
                            + " is not "
                            + status
                            + ": "
                            + Engine.words(done.output()));
        }
        return cell;
    }

    private static void write(Cell cell, Registration changed) {
        try {
            changed.write(cell.directory());
            cell.record(changed);
        } catch (IOException e) {
            throw cell.live()
                    ? new UncheckedIOException("Cannot write a record", e)
                    : cell.gone("ended meanwhile");
        }
    }

    private Cell cell(MachineId id) {
        Cell cell = cells.get(id);
        if (cell == null) {
            throw new MachineFailure(MachineFailure.Reason.GONE, "No machine " + id + " here");
        }
        return cell;
    }

    private Machine machine(Cell cell) {
        Registration record = cell.record();
        var network = new Network(config.instance(), record.block());
        return new Machine(
                cell.id(),
                record.pid(),
                cell.in(),
                cell.out(),
                network.inside(record.slot()),
                network.gateway(record.slot()),
                record.startedAt(),
                cell.directory());
    }

    private Path machines() {
        return config.worker().resolve("machines");
    }

    /** Turned off, or something is missing for it; what runs of an earlier run goes on. */
    private void requireOn(Generation generation) {
        if (!generation.isLight()) {
            return;
        }
        if (!config.generation1()) {
            throw notReady(List.of("generation 1, which is not turned on"));
        }
        List<String> missing = checklist.missingForLight();
        if (!missing.isEmpty()) {
            throw notReady(missing);
        }
    }

    private static MachineFailure savesNothing(MachineId id) {
        return new MachineFailure(
                MachineFailure.Reason.FAILED,
                "Machine " + id + " is of generation 1, which saves and restores nothing");
    }

    private void requireReady() {
        Readiness readiness = readiness();
        if (!readiness.ready()) {
            throw notReady(readiness.missing());
        }
    }

    private static MachineFailure notReady(List<String> missing) {
        return new MachineFailure(
                MachineFailure.Reason.NOT_READY,
                "This host takes no machines; missing: " + String.join("; ", missing));
    }
}
