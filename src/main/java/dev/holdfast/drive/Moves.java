package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import dev.holdfast.volume.Volume;
import dev.holdfast.volume.Volumes;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Changes in volumes past any sandbox. Every method blocks until done. */
@ApplicationScoped
public class Moves {

    private static final int DIRECTORY = 0755;

    @Inject Drives drives;
    @Inject Volumes volumes;

    /**
     * @param parents whether those on the way are made as well, and one that is there is no refusal
     * @throws Problem {@code file_exists}, {@code file_not_found}, {@code volume_full}
     */
    public Entry makeDirectory(
            Volume volume, DrivePath path, boolean parents, Owner owner, String actor) {
        requireNoRoot(path);
        try (Stay stay = drives.enter(volume)) {
            Path root = stay.root();
            if (parents) {
                makeParents(root, path.parent());
            }
            makeOne(root, path, parents, owner);
            Entry made = Shelves.entry(root, path);
            volumes.touched(volume, "make directory", path.shown(), actor);
            return made;
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    /**
     * @throws Problem {@code file_exists}, {@code file_not_found}, {@code directory_not_empty}
     */
    public Entry move(
            Volume volume, DrivePath from, DrivePath to, boolean overwrite, String actor) {
        requireNoRoot(from);
        requireNoRoot(to);
        try (Stay stay = drives.enter(volume)) {
            Path root = stay.root();
            Shelves.entry(root, from);
            if (!overwrite && Files.exists(to.on(root), LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(to.shown());
            }
            Files.move(from.on(root), to.on(root), StandardCopyOption.ATOMIC_MOVE);
            volumes.touched(volume, "move", from + " to " + to, actor);
            return Shelves.entry(root, to);
        } catch (IOException e) {
            throw Refusals.of(e, to);
        }
    }

    /**
     * Takes something away at once; what was in it goes later.
     *
     * @param recursive whether a directory goes with what is in it
     * @throws Problem {@code file_not_found}, {@code directory_not_empty}
     */
    public void remove(Volume volume, DrivePath path, boolean recursive, String actor) {
        requireNoRoot(path);
        try (Stay stay = drives.enter(volume)) {
            Path place = path.on(stay.root());
            if (Entry.of(path, place).isDirectory() && recursive) {
                Path outgoing = stay.outgoing();
                Files.move(place, outgoing, StandardCopyOption.ATOMIC_MOVE);
                drives.discardSoon(volume, outgoing);
            } else {
                Files.delete(place);
            }
            volumes.touched(volume, "remove", path.shown(), actor);
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    /** Another owner or other permissions. */
    public Entry change(Volume volume, DrivePath path, Owner owner, String actor) {
        try (Stay stay = drives.enter(volume)) {
            Path place = path.on(stay.root());
            own(place, owner);
            volumes.touched(volume, "change", path.shown(), actor);
            return Entry.of(path, place);
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    static void makeParents(Path root, DrivePath path) throws IOException {
        for (int i = 1; i <= path.names().size(); i++) {
            makeOne(root, new DrivePath(path.names().subList(0, i)), true, Owner.USUAL);
        }
    }

    private static void makeOne(Path root, DrivePath path, boolean mayBeThere, Owner owner)
            throws IOException {
        Path place = path.on(root);
        try {
            Files.createDirectory(place);
        } catch (FileAlreadyExistsException e) {
            if (!mayBeThere || !Entry.of(path, place).isDirectory()) {
                throw e;
            }
            return;
        }
        own(place, usual(owner, DIRECTORY));
    }

    static Owner usual(Owner owner, int mode) {
        return new Owner(
                owner.uid().or(() -> Optional.of(Owner.USER)),
                owner.gid().or(() -> Optional.of(Owner.USER)),
                owner.mode().or(() -> Optional.of(mode)));
    }

    /**
     * The permissions last: a change of the owner takes some of them away. They are those of what a
     * link leads to, and on a volume the kernel refuses that.
     */
    static void own(Path place, Owner owner) throws IOException {
        if (owner.uid().isPresent()) {
            Files.setAttribute(
                    place, "unix:uid", owner.uid().get().intValue(), LinkOption.NOFOLLOW_LINKS);
        }
        if (owner.gid().isPresent()) {
            Files.setAttribute(
                    place, "unix:gid", owner.gid().get().intValue(), LinkOption.NOFOLLOW_LINKS);
        }
        if (owner.mode().isPresent()) {
            Files.setAttribute(place, "unix:mode", owner.mode().get());
        }
    }

    private static void requireNoRoot(DrivePath path) {
        if (path.isRoot()) {
            throw Problem.invalid(
                    "path", "\"path\" is that of something in the volume, not its root.");
        }
    }
}
