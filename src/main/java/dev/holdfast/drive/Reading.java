package dev.holdfast.drive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Bytes of a file of a volume, in pieces, each when it is asked for. Ends with the last of them or
 * with {@link #cancel}; until then somebody is on the volume.
 */
public final class Reading {

    private static final int PIECE = 64 * 1024;

    private final Entry entry;
    private final Stay stay;
    private final FileChannel channel;
    private final Executor executor;
    private final long offset;
    private final long length;
    private long done;

    Reading(
            Entry entry,
            Stay stay,
            FileChannel channel,
            Executor executor,
            long offset,
            long length) {
        this.entry = entry;
        this.stay = stay;
        this.channel = channel;
        this.executor = executor;
        this.offset = offset;
        this.length = length;
    }

    /** As an entity tag is written, with its quotes. */
    public String tag() {
        return "\"" + entry.version() + "\"";
    }

    /** Its last name, for people. */
    public String name() {
        return entry.path().name();
    }

    /** How much the whole file has. */
    public long size() {
        return entry.size();
    }

    public long offset() {
        return offset;
    }

    /** How many bytes come. */
    public long length() {
        return length;
    }

    /**
     * The next piece, or nothing at the end; fails when the file was cut meanwhile. One question at
     * a time.
     */
    public CompletionStage<Optional<ByteBuffer>> next() {
        if (done == length) {
            cancel();
            return CompletableFuture.completedStage(Optional.empty());
        }
        return CompletableFuture.supplyAsync(this::piece, executor);
    }

    /** The rest is not wanted. */
    public void cancel() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            stay.close();
        }
    }

    /** From a place and not on and on: a pipe that took the file's place has none. */
    private Optional<ByteBuffer> piece() {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, length - done));
        try {
            int count = channel.read(piece, offset + done);
            if (count <= 0) {
                throw new IOException("The file is shorter than it was");
            }
            done += count;
            return Optional.of(piece.flip());
        } catch (IOException e) {
            throw Refusals.of(e, entry.path());
        }
    }
}
