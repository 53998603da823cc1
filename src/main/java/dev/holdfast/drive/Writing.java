package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;

/**
 * A file on its way into a volume: nobody sees it before it is whole, and what it takes counts from
 * the first byte, because it is written to the volume itself. One thread at a time; ends with
 * {@link #complete} or {@link #abandon}, and until then somebody is on the volume.
 */
public final class Writing {

    private static final int FILE = 0644;

    private final Stay stay;
    private final Path root;
    private final Path incoming;
    private final DrivePath path;
    private final Placing placing;
    private final Runnable kept;
    private final Supplier<DrivePath> told;
    private final FileChannel channel;

    /**
     * @param kept refuses where the volume was deleted
     * @param told writes down that it is there
     */
    Writing(Stay stay, DrivePath path, Placing placing, Runnable kept, Supplier<DrivePath> told) {
        this.stay = stay;
        this.root = stay.root();
        this.incoming = stay.incoming();
        this.path = path;
        this.placing = placing;
        this.kept = kept;
        this.told = told;
        try {
            requirePlace();
            this.channel =
                    FileChannel.open(
                            incoming, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    /**
     * Takes the next bytes.
     *
     * @throws Problem {@code volume_full}
     */
    public void take(byte[] bytes, int count) {
        try {
            for (ByteBuffer rest = ByteBuffer.wrap(bytes, 0, count); rest.hasRemaining(); ) {
                channel.write(rest);
            }
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    /**
     * It is whole: in one step it is at its path, and what was there is gone.
     *
     * @throws Problem {@code file_exists}, {@code file_not_found}, {@code volume_full}, {@code
     *     volume_not_found} when it was deleted meanwhile
     */
    public Entry complete() {
        try {
            kept.run();
            channel.force(true);
            channel.close();
            Moves.own(incoming, Moves.usual(placing.owner(), FILE));
            if (placing.parents()) {
                Moves.makeParents(root, path.parent());
            }
            requirePlace();
            if (placing.overwrite()) {
                Files.move(incoming, path.on(root), StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.createLink(path.on(root), incoming); // which never replaces anything
                Files.delete(incoming);
            }
            told.get();
            Entry entry = Shelves.entry(root, path);
            stay.close();
            return entry;
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    /** It will not be there whole. */
    public void abandon() {
        try {
            channel.close();
            Files.deleteIfExists(incoming);
        } catch (IOException e) {
            throw Refusals.of(e, path);
        } finally {
            stay.close();
        }
    }

    /** Asked before anything is sent as well, so that nobody sends in vain. */
    private void requirePlace() throws IOException {
        if (path.isRoot()) {
            throw Problem.invalid("path", "\"path\" is that of a file, not the volume's root.");
        }
        Path place = path.on(root);
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            if (!placing.overwrite()) {
                throw new FileAlreadyExistsException(path.shown());
            }
            if (Entry.of(path, place).isDirectory()) {
                throw Refusals.notReadable(path, "is a directory");
            }
        } else if (!placing.parents() && !Shelves.entry(root, path.parent()).isDirectory()) {
            throw Refusals.notFound(path.parent());
        }
    }
}
