package dev.holdfast.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Immutable objects under keys, the same on a disk or in a bucket.
 *
 * <p><b>Visibility.</b> An object is there whole and durable, or not at all. What {@link
 * Upload#commit} has returned survives a crash of the process and of the machine.
 *
 * <p><b>Idempotent:</b> a put of the same content under the same key; every delete; every read. A
 * put of other content under a taken key is refused with {@link ObjectConflictException}, also when
 * two writers race.
 *
 * <p><b>Retry:</b> a store repeats no call of this interface; one that is asked over a network
 * repeats its requests, and goes on with a reading that broke off, a bounded number of times. Every
 * {@link IOException} other than {@link ObjectConflictException} may be answered by doing the whole
 * call again; a failed commit may or may not have made the object visible, and the repetition
 * settles it.
 *
 * <p><b>Damage.</b> What is written arrives as it was sent, or the write fails. Whether what is
 * read is what was once written is for the reader to check: {@link Parts} and {@link BlobCache}
 * know the digest, a manifest and an amendment carry what tells.
 *
 * <p><b>Order.</b> Writing: parts first, the manifest last, the database row after that. Deleting:
 * row marked first, then the manifest, then the parts, so that no manifest ever names parts that
 * were taken away on purpose. A key is never also the prefix of another ({@code a} and {@code
 * a/b}).
 */
public interface ObjectStore {

    /** Begins an object. Nothing is visible before {@link Upload#commit}. */
    Upload begin(ObjectKey key) throws IOException;

    /** Opens an object for reading from its beginning; empty if there is none. */
    Optional<InputStream> open(ObjectKey key) throws IOException;

    /** The stored length; empty if there is no such object. */
    OptionalLong size(ObjectKey key) throws IOException;

    /**
     * Removes an object. One that is not there counts as deleted.
     *
     * @return whether it was there; of two calls that race, both may have seen it
     */
    boolean delete(ObjectKey key) throws IOException;

    /**
     * Shows every object whose key begins with the prefix, in no order. Objects made or removed
     * meanwhile may be shown or not; uploads in progress never are.
     */
    default void list(String prefix, Consumer<StoredObject> each) throws IOException {
        any(
                prefix,
                object -> {
                    each.accept(object);
                    return false;
                });
    }

    /**
     * Whether any object whose key begins with the prefix is wanted; looks no further than the
     * first that is.
     */
    boolean any(String prefix, Predicate<StoredObject> wanted) throws IOException;

    /**
     * Removes what broken uploads left behind, if untouched for longer than the grace time. The
     * grace time has to be longer than any upload may stall.
     *
     * @return how many were removed
     */
    int removeLeftovers(Duration grace) throws IOException;

    /**
     * Whether it answers and would take an upload now; whoever asks waits a moment only. Leaves
     * nothing that a listing shows.
     *
     * @throws IOException it does not, and this is why
     */
    default void check() throws IOException {
        ObjectKey probe = new ObjectKey("probe/" + UUID.randomUUID());
        begin(probe).close();
        exists(probe);
    }

    default boolean exists(ObjectKey key) throws IOException {
        return size(key).isPresent();
    }

    /** Stores the content up to the end of the stream; the caller closes the stream. */
    default StoredObject put(ObjectKey key, InputStream content) throws IOException {
        try (Upload upload = begin(key)) {
            Disk.copy(content, upload.body());
            return upload.commit();
        }
    }

    default StoredObject put(ObjectKey key, Path file) throws IOException {
        try (Upload upload = begin(key)) {
            Disk.copy(file, upload.body());
            return upload.commit();
        }
    }

    /** An object being written by one thread. Closing it uncommitted leaves no trace. */
    interface Upload extends Closeable {

        /** Takes the content; closing this stream is neither needed nor harmful. */
        OutputStream body();

        /** Makes the object durable, then visible; called once, last. */
        StoredObject commit() throws IOException;

        @Override
        void close() throws IOException;
    }
}
