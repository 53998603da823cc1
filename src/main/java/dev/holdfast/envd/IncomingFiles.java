package dev.holdfast.envd;

import dev.holdfast.agent.FileEntry;
import dev.holdfast.agent.Upload;
import jakarta.json.JsonArrayBuilder;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Files on their way into a sandbox. The next bytes are read from the client when the sandbox has
 * taken the former ones, so an upload of any size needs two buffers; between reads no thread waits.
 *
 * <p>The client's listener and the agent's answers both drive {@link #pump}; a counter lets one
 * thread in at a time and makes it look again if another came by.
 */
final class IncomingFiles implements ReadListener {

    private static final int PIECE = 16 * 1024;

    private final Call call;
    private final UploadRequest request;
    private final ServletInputStream input;
    private final AsyncResponse response;

    private final AtomicInteger visits = new AtomicInteger();
    private final byte[] raw = new byte[PIECE];
    private final byte[] plain = new byte[PIECE];
    private final GzipReader gzip;
    private final MultipartReader multipart;
    private final Deque<MultipartReader.Event> events = new ArrayDeque<>();
    private final Set<String> paths = new HashSet<>();
    private final JsonArrayBuilder written = Answers.BUILDERS.createArrayBuilder();
    private Upload<FileEntry> upload;

    private boolean inputEnded;
    private volatile boolean waiting;
    private volatile boolean answered;
    private volatile Throwable failure;

    IncomingFiles(
            Call call, UploadRequest request, ServletInputStream input, AsyncResponse response) {
        this.call = call;
        this.request = request;
        this.input = input;
        this.response = response;
        this.gzip = request.gzip() ? new GzipReader() : null;
        this.multipart = request.boundary().map(MultipartReader::new).orElse(null);
        if (multipart == null) {
            events.add(new MultipartReader.Begin(new PartHeader("file", null)));
        }
    }

    @Override
    public void onDataAvailable() {
        pump();
    }

    @Override
    public void onAllDataRead() {
        pump();
    }

    /** The client has left, or what it sent was no HTTP. */
    @Override
    public void onError(Throwable thrown) {
        failure = new RestError(400, "the body could not be read");
        pump();
    }

    private void pump() {
        if (visits.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            try {
                drain();
            } catch (IOException e) {
                refuse(new RestError(400, "the body could not be read"));
            } catch (RuntimeException e) {
                refuse(e);
            }
            seen = visits.addAndGet(-seen);
        } while (seen != 0);
    }

    private void drain() throws IOException {
        while (!answered && !waiting) {
            if (failure != null) {
                refuse(failure);
            } else if (!events.isEmpty()) {
                handle(events.remove());
            } else if (inputEnded) {
                answer(Answers.json(200, written.build()));
            } else if (!decompressed() && !read()) {
                return;
            }
        }
    }

    /** Whether there was something left of what was read. */
    private boolean decompressed() {
        int made = gzip == null ? 0 : gzip.read(plain);
        if (made > 0) {
            parse(plain, made);
        }
        return made > 0;
    }

    /** Whether something came; if not, the listener is called when it does. */
    private boolean read() throws IOException {
        if (input.isFinished()) {
            end();
            return true;
        }
        if (!input.isReady()) {
            return false;
        }
        int length = input.read(raw);
        if (length < 0) {
            end();
        } else if (gzip == null) {
            parse(raw, length);
        } else {
            gzip.input(raw, 0, length);
        }
        return true;
    }

    private void end() {
        inputEnded = true;
        if (gzip != null) {
            gzip.end();
        }
        if (multipart == null) {
            events.add(new MultipartReader.End());
        } else {
            multipart.end();
        }
    }

    private void parse(byte[] bytes, int length) {
        if (multipart == null) {
            events.add(new MultipartReader.Bytes(ByteBuffer.wrap(bytes, 0, length)));
        } else {
            events.addAll(multipart.feed(bytes, 0, length));
        }
    }

    private void handle(MultipartReader.Event event) {
        if (event instanceof MultipartReader.Begin begin) {
            begin(begin.header());
        } else if (upload == null) {
            return; // a form field that is no file
        } else if (event instanceof MultipartReader.Bytes bytes) {
            await(upload.send(bytes.content()), sent -> {});
        } else {
            Upload<FileEntry> complete = upload;
            upload = null;
            await(complete.finish(), this::wrote);
        }
    }

    private void begin(PartHeader header) {
        if (!header.name().equals("file")) {
            return;
        }
        String path =
                request.path()
                        .or(header::filename)
                        .filter(name -> !name.isEmpty())
                        .orElseThrow(() -> new RestError(400, "a file has no path"));
        if (!paths.add(path)) {
            throw new RestError(400, "path '" + path + "' comes twice");
        }
        upload = call.agent().write(path, request.user());
    }

    private void wrote(FileEntry entry) {
        // Two names of one file are one file, though only the sandbox could tell.
        if (!paths.add("\0" + entry.path())) {
            failure = new RestError(400, "path '" + entry.path() + "' comes twice");
        }
        written.add(FileMessages.written(entry));
    }

    private <T> void await(CompletionStage<T> stage, java.util.function.Consumer<T> then) {
        waiting = true;
        stage.whenComplete(
                (value, thrown) -> {
                    if (thrown != null) {
                        failure = thrown;
                    } else {
                        then.accept(value);
                    }
                    waiting = false;
                    pump();
                });
    }

    /** A refused piece only says that the upload is over; why, its result knows. */
    private void refuse(Throwable thrown) {
        Upload<FileEntry> broken = upload;
        upload = null;
        if (broken == null || thrown instanceof RestError) {
            if (broken != null) {
                broken.cancel();
            }
            answer(Answers.refusedRest(call, thrown));
            return;
        }
        answered = true;
        broken.result()
                .whenComplete(
                        (entry, reason) -> {
                            answered = false;
                            answer(
                                    Answers.refusedRest(
                                            call, reason == null ? thrown : reason));
                        });
    }

    private void answer(Response answer) {
        if (answered) {
            return;
        }
        answered = true;
        if (gzip != null) {
            gzip.close();
        }
        call.worker().execute(() -> response.resume(answer));
    }
}
