package dev.holdfast.api;

import dev.holdfast.contents.Content;
import dev.holdfast.gateway.OutgoingContent;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Bytes of a snapshot, for who sends them. */
record SnapshotFile(Content content) implements OutgoingContent.Source {

    @Override
    public String name() {
        return content.name();
    }

    @Override
    public String tag() {
        return content.tag();
    }

    @Override
    public long size() {
        return content.size();
    }

    @Override
    public long offset() {
        return content.offset();
    }

    @Override
    public long length() {
        return content.length();
    }

    @Override
    public CompletionStage<Optional<ByteBuffer>> next() {
        return content.next();
    }

    @Override
    public void cancel() {
        content.cancel();
    }
}
