package dev.holdfast.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Objects as files below one directory. Uploads grow in {@code .incoming} of the same tree and get
 * their name by a hard link: unlike a rename, a link fails when the name is taken, so two writers
 * of one key cannot overwrite each other, not even from two processes.
 */
public final class DirectoryStore implements ObjectStore {

    private static final String INCOMING = ".incoming";

    /**
     * A delete may take a parent directory away between its making and its use; each loses once.
     */
    private static final int PLACING_ATTEMPTS = 100;

    private final Path root;
    private final Path incoming;
    private final Clock clock;

    public DirectoryStore(Path root, Clock clock) throws IOException {
        this.root = root.toAbsolutePath().normalize();
        this.incoming = this.root.resolve(INCOMING);
        this.clock = clock;
        Disk.createDirectories(incoming);
        Files.setPosixFilePermissions(this.root, Disk.PRIVATE_DIRECTORY);
        Disk.sync(this.root);
    }

    @Override
    public Upload begin(ObjectKey key) throws IOException {
        return new FileUpload(key);
    }

    @Override
    public Optional<InputStream> open(ObjectKey key) throws IOException {
        if (size(key).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.newInputStream(path(key)));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(path(key), BasicFileAttributes.class);
            return found.isRegularFile() ? OptionalLong.of(found.size()) : OptionalLong.empty();
        } catch (NoSuchFileException absent) {
            return OptionalLong.empty();
        }
    }

    @Override
    public boolean delete(ObjectKey key) throws IOException {
        if (size(key).isEmpty()) {
            return false;
        }
        Path file = path(key);
        boolean removed = Files.deleteIfExists(file);
        if (removed) {
            syncIfThere(file.getParent());
        }
        removeEmptyParents(file.getParent());
        return removed;
    }

    @Override
    public boolean any(String prefix, Predicate<StoredObject> wanted) throws IOException {
        ObjectKey.expectBeginning(prefix);
        int slash = prefix.lastIndexOf('/');
        Path start = slash < 0 ? root : root.resolve(prefix.substring(0, slash));
        Listing listing = new Listing(prefix, wanted);
        if (Files.isDirectory(start)) {
            Files.walkFileTree(start, listing);
        }
        return listing.found;
    }

    @Override
    public int removeLeftovers(Duration grace) throws IOException {
        Instant before = clock.instant().minus(grace);
        int removed = 0;
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(incoming)) {
            for (Path leftover : leftovers) {
                try {
                    if (Files.getLastModifiedTime(leftover).toInstant().isBefore(before)
                            && Files.deleteIfExists(leftover)) {
                        removed++;
                    }
                } catch (NoSuchFileException committed) {
                    // its writer was quicker
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return removed;
    }

    private Path path(ObjectKey key) {
        return root.resolve(key.value());
    }

    /** Every directory up to the root, because a name is durable only if the names above it are. */
    private void syncUpward(Path directory) throws IOException {
        for (Path each = directory; each.startsWith(root); each = each.getParent()) {
            syncIfThere(each);
        }
    }

    private static void syncIfThere(Path directory) throws IOException {
        try {
            Disk.sync(directory);
        } catch (NoSuchFileException gone) {
            // another delete removed the emptied directory, and the name with it
        }
    }

    private void removeEmptyParents(Path directory) throws IOException {
        for (Path each = directory; !each.equals(root); each = each.getParent()) {
            try {
                Files.deleteIfExists(each);
            } catch (DirectoryNotEmptyException used) {
                return;
            }
        }
    }

    private final class FileUpload implements Upload {

        private final ObjectKey key;
        private final Path temporary = incoming.resolve(UUID.randomUUID().toString());
        private final FileChannel channel = Disk.create(temporary);
        private final OutputStream body = Channels.newOutputStream(channel);

        FileUpload(ObjectKey key) throws IOException {
            this.key = key;
        }

        @Override
        public OutputStream body() {
            return body;
        }

        @Override
        public StoredObject commit() throws IOException {
            try (FileChannel written = channel) {
                written.force(true);
            }
            Path file = path(key);
            place(file);
            syncUpward(file.getParent());
            BasicFileAttributes stored = attributes(file);
            return new StoredObject(key, stored.size(), stored.lastModifiedTime().toInstant());
        }

        /** One that was deleted as soon as it was there was stored all the same. */
        private BasicFileAttributes attributes(Path file) throws IOException {
            try {
                return Files.readAttributes(file, BasicFileAttributes.class);
            } catch (NoSuchFileException deleted) {
                return Files.readAttributes(temporary, BasicFileAttributes.class);
            }
        }

        private void place(Path file) throws IOException {
            for (int attempt = 1; attempt <= PLACING_ATTEMPTS; attempt++) {
                try {
                    Disk.createDirectories(file.getParent());
                    Files.createLink(file, temporary);
                    return;
                } catch (FileAlreadyExistsException taken) {
                    if (holdsTheSame(file)) {
                        return;
                    }
                } catch (NoSuchFileException emptied) {
                    if (Files.notExists(temporary)) {
                        throw emptied;
                    }
                }
            }
            throw new ObjectConflictException(key);
        }

        /** Same content is made durable again: an earlier try may have failed just before that. */
        private boolean holdsTheSame(Path file) throws IOException {
            if (!Files.isRegularFile(file)) {
                return false;
            }
            try {
                if (Files.mismatch(file, temporary) != -1) {
                    throw new ObjectConflictException(key);
                }
                Disk.sync(file);
                return true;
            } catch (NoSuchFileException removed) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            try {
                channel.close();
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
    }

    private final class Listing extends SimpleFileVisitor<Path> {

        private final String prefix;
        private final Predicate<StoredObject> wanted;
        private boolean found;

        Listing(String prefix, Predicate<StoredObject> wanted) {
            this.prefix = prefix;
            this.wanted = wanted;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return directory.equals(incoming)
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = root.relativize(file).toString();
            if (attributes.isRegularFile() && name.startsWith(prefix) && ObjectKey.isKey(name)) {
                found =
                        wanted.test(
                                new StoredObject(
                                        new ObjectKey(name),
                                        attributes.size(),
                                        attributes.lastModifiedTime().toInstant()));
            }
            return found ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                throws IOException {
            return failure instanceof NoSuchFileException || failure == null
                    ? FileVisitResult.CONTINUE
                    : super.postVisitDirectory(directory, failure);
        }
    }
}
