package dev.holdfast.gateway;

import dev.holdfast.drive.Reading;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Bytes of a file of a volume, for who sends them. */
public record VolumeFile(Reading reading) implements OutgoingContent.Source {

    @Override
    public String name() {
        return reading.name();
    }

    @Override
    public String tag() {
        return reading.tag();
    }

    @Override
    public long size() {
        return reading.size();
    }

    @Override
    public long offset() {
        return reading.offset();
    }

    @Override
    public long length() {
        return reading.length();
    }

    @Override
    public CompletionStage<Optional<ByteBuffer>> next() {
        return reading.next();
    }

    @Override
    public void cancel() {
        reading.cancel();
    }
}
