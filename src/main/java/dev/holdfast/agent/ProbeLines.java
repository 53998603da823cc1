package dev.holdfast.agent;

import jakarta.json.JsonObject;
import jakarta.json.JsonStructure;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The lines that come out of a sandbox, for a thread that may wait for them. */
final class ProbeLines implements AutoCloseable {

    private final ProbeOutput output;
    private final Duration patience;
    private final long end;
    private final JsonLines lines;
    private boolean over;

    /**
     * @param patience how long nothing may come
     * @param total how long all may take, also where something comes now and then
     */
    ProbeLines(ProbeOutput output, Duration patience, Duration total) {
        this.output = output;
        this.lines = new JsonLines(Bound.WALK, output.room());
        this.patience = patience;
        this.end = System.nanoTime() + total.toNanos();
    }

    /**
     * The next line; nothing behind the last.
     *
     * @throws AgentException what was refused; {@code deadline} when nothing came in time
     */
    Optional<JsonStructure> next() {
        Optional<byte[]> line = lines.next();
        while (line.isEmpty() && !over) {
            piece().ifPresentOrElse(lines::feed, () -> over = true);
            line = lines.next();
        }
        return line.map(ProbeLines::parsed);
    }

    private Optional<ByteBuffer> piece() {
        try {
            return output.next()
                    .toCompletableFuture()
                    .get(
                            Math.min(patience.toNanos(), end - System.nanoTime()),
                            TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AgentException told) {
                throw told;
            }
            throw AgentException.unavailable("nothing more comes: " + e.getCause());
        } catch (TimeoutException e) {
            output.cancel();
            throw new AgentException(ErrorCode.DEADLINE, "the sandbox says no more");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AgentException.unavailable("interrupted");
        }
    }

    /** Ends what writes them, unless it has ended. */
    @Override
    public void close() {
        output.cancel();
    }

    /**
     * @throws AgentException {@code too_large}; also for a line that says why there is no other
     */
    static JsonStructure parsed(byte[] line) {
        Bound.WALK.weight(line);
        JsonStructure read;
        try (var reader =
                Members.READERS.createReader(
                        new ByteArrayInputStream(line), StandardCharsets.UTF_8)) {
            read = reader.read();
        } catch (RuntimeException | StackOverflowError e) {
            throw AgentException.reset("a line is no JSON");
        }
        if (read instanceof JsonObject object && object.containsKey("error")) {
            Members members = new Members(object);
            throw new AgentException(ErrorCode.of(members.text("error")), members.text("message"));
        }
        return read;
    }

    static GuestPath path(String base64) {
        try {
            return GuestPath.encoded(base64);
        } catch (IllegalArgumentException e) {
            throw AgentException.reset("a path that is none");
        }
    }
}
