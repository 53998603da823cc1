package dev.holdfast.workbench;

import dev.holdfast.agent.FileEntry;
import dev.holdfast.agent.Upload;
import dev.holdfast.event.Waits;
import dev.holdfast.gateway.Taker;
import dev.holdfast.workbench.Lines.Line;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A file on its way into a session, as fast as the sandbox takes it. */
record IncomingFile(String path, Upload<FileEntry> upload, Line line) implements Taker {

    @Override
    public CompletionStage<?> take(ByteBuffer bytes) {
        // A refused piece says only that it is over; why, the result knows.
        return upload.send(bytes)
                .exceptionallyCompose(
                        over ->
                                upload.result()
                                        .handle((entry, why) -> why == null ? over : why)
                                        .thenCompose(this::refused));
    }

    @Override
    public CompletionStage<?> complete() {
        return upload.finish()
                .thenApply(entry -> Response.noContent().build())
                .exceptionallyCompose(this::refused);
    }

    private <T> CompletionStage<T> refused(Throwable why) {
        return line.told(CompletableFuture.failedStage(AgentProblems.file(path, Waits.cause(why))));
    }

    @Override
    public void abandon(String why) {
        upload.cancel();
    }
}
