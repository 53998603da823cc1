package dev.holdfast.drive;

import dev.holdfast.audit.Origin;
import dev.holdfast.problem.Problem;
import dev.holdfast.volume.Volume;
import dev.holdfast.volume.Volumes;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Files on their way out of volumes and into them. */
@ApplicationScoped
public class Transfers {

    @Inject Drives drives;
    @Inject Volumes volumes;
    @Resource ManagedExecutorService executor;

    /**
     * @param offset below zero: from the end
     * @param length empty: all behind the offset
     * @param tag what the part is of; of another file all is read
     * @throws Problem {@code file_not_found}, {@code file_not_readable}
     */
    public Reading read(
            Volume volume,
            DrivePath path,
            long offset,
            Optional<Long> length,
            Optional<String> tag) {
        Stay stay = drives.enter(volume);
        try {
            return read(stay, path, offset, length, tag);
        } catch (RuntimeException e) {
            stay.close();
            throw e;
        }
    }

    private Reading read(
            Stay stay, DrivePath path, long offset, Optional<Long> length, Optional<String> tag) {
        Entry entry = Shelves.entry(stay.root(), path);
        if (!entry.isFile()) {
            throw Refusals.notReadable(
                    path,
                    "is no file but a " + entry.type() + ", which has no content to hand out");
        }
        boolean part = tag.filter(seen -> !seen.equals("\"" + entry.version() + "\"")).isEmpty();
        long begin = part ? from(entry.size(), offset) : 0;
        long most = entry.size() - begin;
        long count = part ? length.map(asked -> Math.min(asked, most)).orElse(most) : most;
        FileChannel channel = open(path, path.on(stay.root()));
        return new Reading(entry, stay, channel, executor, begin, count);
    }

    /**
     * Begins to write a file; whoever asks for it now has written it when it is there.
     *
     * @throws Problem {@code file_exists}, {@code file_not_found}, {@code file_not_readable}
     */
    public Writing write(Volume volume, DrivePath path, Placing placing, String actor) {
        Stay stay = drives.enter(volume);
        try {
            return new Writing(
                    stay,
                    path,
                    placing,
                    () -> drives.kept(volume),
                    Origin.carried(
                            () -> {
                                volumes.touched(volume, "upload", path.shown(), actor);
                                return path;
                            }));
        } catch (RuntimeException e) {
            stay.close();
            throw e;
        }
    }

    private static long from(long size, long offset) {
        return offset < 0 ? Math.max(0, size + offset) : Math.min(size, offset);
    }

    /**
     * To write as well, though nothing is written: the opening of a pipe for reading alone, which
     * may have taken the file's place, would wait for somebody to write.
     */
    private static FileChannel open(DrivePath path, Path place) {
        try {
            return FileChannel.open(
                    place,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }
}
