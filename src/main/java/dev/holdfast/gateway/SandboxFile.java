package dev.holdfast.gateway;

import dev.holdfast.agent.FileBody;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The content of a file of a sandbox, for who sends it. */
public record SandboxFile(FileBody body) implements PacedAnswer.Source {

    @Override
    public CompletionStage<Optional<ByteBuffer>> next() {
        return body.next();
    }

    @Override
    public void cancel() {
        body.cancel();
    }
}
