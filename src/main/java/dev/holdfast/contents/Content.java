package dev.holdfast.contents;

import dev.holdfast.agent.GuestBody;
import dev.holdfast.snapshot.SnapshotId;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bytes out of a snapshot, in pieces, each when it is asked for. */
public final class Content {

    private final String tag;
    private final GuestBody body;
    private final Runnable over;
    private final AtomicBoolean done = new AtomicBoolean();

    Content(String tag, GuestBody body, Runnable over) {
        this.tag = tag;
        this.body = body;
        this.over = over;
    }

    /** The same for the same path of the same snapshot, which never changes. */
    static String tag(SnapshotId snapshot, AskedPath path) {
        return "\"" + snapshot + "-" + UUID.nameUUIDFromBytes(path.path().bytes()) + "\"";
    }

    /** As an entity tag is written, with its quotes. */
    public String tag() {
        return tag;
    }

    /** Its last name, for people. */
    public String name() {
        return body.promise().path().name().shown();
    }

    /** How much the whole file has. */
    public long size() {
        return body.promise().size();
    }

    public long offset() {
        return body.promise().offset();
    }

    /** How many bytes come. */
    public long length() {
        return body.promise().length();
    }

    /** The next piece, or nothing at the end. One question at a time. */
    public CompletionStage<Optional<ByteBuffer>> next() {
        return body.next()
                .whenComplete(
                        (piece, failure) -> {
                            if (failure != null || piece.isEmpty()) {
                                end();
                            }
                        });
    }

    /** The rest is not wanted. */
    public void cancel() {
        body.cancel();
        end();
    }

    private void end() {
        if (done.compareAndSet(false, true)) {
            over.run();
        }
    }
}
