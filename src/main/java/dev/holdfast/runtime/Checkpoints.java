package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.concurrent.locks.LockSupport;

/** Writes checkpoints; of one that fails nothing stays, and its source goes on. */
final class Checkpoints {
    private static final Duration DYING = Duration.ofSeconds(1);
    private static final long FULL = 1L << 20;
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Duration deadline;

    Checkpoints(Duration deadline) {
        this.deadline = deadline;
    }

    Checkpoint write(Cell cell, Path directory) {
        Registration record = cell.requireRunning();
        makeFresh(directory);
        boolean whole = false;
        try {
            SortedSet<String> open = Standins.openIn(cell, record.pid());
            long begin = System.nanoTime();
            var line = new Runsc(record.build(), cell).checkpoint(directory);
            Command done = Command.await(Command.start(line), deadline);
            Duration freeze = Duration.ofNanos(System.nanoTime() - begin);
            if (done.failed()) {
                throw failure(cell, done, directory);
            }
            open.addAll(
                    Standins.openIn(
                            cell, record.pid())); // and what was opened before it stood still
            Standins.keep(open, directory);
            Checkpoint checkpoint = read(cell.id(), directory, freeze);
            whole = true;
            return checkpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!whole) {
                Trees.remove(directory);
            }
        }
    }

    /** Making it is the test that it is fresh: of two callers one fails. */
    private static void makeFresh(Path directory) {
        try {
            Files.createDirectory(
                    directory,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            throw new MachineFailure(
                    MachineFailure.Reason.TARGET_UNUSABLE, directory + " exists", e);
        } catch (IOException e) {
            throw new MachineFailure(
                    MachineFailure.Reason.TARGET_UNUSABLE, "Cannot make " + directory, e);
        }
    }

    /**
     * A killed machine closes its socket at once and is dead only when its memory is given back.
     */
    private static boolean diesSoon(Cell cell) {
        long until = System.nanoTime() + DYING.toNanos();
        while (cell.live() && cell.record().alive()) {
            if (System.nanoTime() > until) {
                return false;
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return true;
    }

    private static MachineFailure failure(Cell cell, Command done, Path directory) {
        if (diesSoon(cell)) {
            return cell.gone("ended while it was saved");
        }
        if (done.late()) {
            return new MachineFailure(
                    MachineFailure.Reason.LATE,
                    "Machine " + cell.id() + " was not saved by the deadline of the command");
        }
        String words = Engine.words(done.output());
        boolean full =
                words.toLowerCase(Locale.ROOT).contains("no space left on device")
                        || isFull(directory);
        return new MachineFailure(
                full ? MachineFailure.Reason.NO_SPACE : MachineFailure.Reason.FAILED,
                "Machine " + cell.id() + " was not saved (" + done.code() + "): " + words);
    }

    /** When not even the first file finds room, runsc tells of a bad memory address. */
    private static boolean isFull(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace() < FULL;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static Checkpoint read(MachineId id, Path directory, Duration freeze) {
        List<Path> files = Trees.children(directory);
        long bytes = 0;
        try {
            for (Path file : files) {
                bytes += Files.size(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var names = files.stream().map(file -> file.getFileName().toString()).toList();
        return new Checkpoint(id, directory, names, bytes, freeze);
    }
}
