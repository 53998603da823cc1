package dev.holdfast.envd;

import dev.holdfast.gateway.PacedAnswer;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The same bytes, compressed on the way. The compressor often keeps all of a piece. */
final class Gzipped implements PacedAnswer.Source {

    private final PacedAnswer.Source source;
    private final GzipWriter gzip = new GzipWriter();
    private boolean over;

    Gzipped(PacedAnswer.Source source) {
        this.source = source;
    }

    @Override
    public CompletionStage<Optional<ByteBuffer>> next() {
        return source.next().thenApply(piece -> piece.map(this::written).or(this::rest));
    }

    private ByteBuffer written(ByteBuffer piece) {
        return ByteBuffer.wrap(gzip.write(PacedAnswer.bytes(piece)));
    }

    private Optional<ByteBuffer> rest() {
        if (over) {
            return Optional.empty();
        }
        over = true;
        return Optional.of(ByteBuffer.wrap(gzip.finish()));
    }

    @Override
    public void cancel() {
        source.cancel();
    }
}
