package dev.holdfast.envd;

import dev.holdfast.agent.FileEntry;
import dev.holdfast.agent.Upload;
import dev.holdfast.event.Errand;
import dev.holdfast.gateway.Resets;
import jakarta.json.JsonArrayBuilder;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.xnio.XnioIoThread;

/**
 * Files on their way into a sandbox. The next bytes are read from the client when the sandbox has
 * taken the former ones, so an upload of any size needs the same few buffers; between reads no
 * thread waits.
 *
 * <p>Reading happens on the exchange's I/O thread only, where the container calls the listener: its
 * input stream does not bear a second thread. The sandbox's answers come back there too. A counter
 * makes whoever finds the loop running only say that it should look again.
 *
 * <p>A refused upload is read to its end before the refusal is sent: many clients look at an answer
 * only then, and the container would hold a thread to do the same.
 */
final class IncomingFiles implements ReadListener {

    private static final int PIECE = 64 * 1024;

    /** How long a refused client may go on sending before it is cut off. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long a client may send nothing, in a body that is not complete. */
    private final Duration silence =
            Duration.ofSeconds(Integer.getInteger("holdfast.envd.upload.silence", 60));

    private final Call call;
    private final ServletInputStream input;
    private final AsyncResponse response;

    private final Errand pumping = new Errand(this::pump);
    private final byte[] raw = new byte[PIECE];
    private final byte[] plain = new byte[PIECE];
    private final Deque<MultipartReader.Event> events = new ArrayDeque<>();
    private final Set<String> paths = new HashSet<>();
    private final JsonArrayBuilder written = Answers.BUILDERS.createArrayBuilder();
    private UploadRequest request;
    private GzipReader gzip;
    private MultipartReader multipart;
    private Upload<FileEntry> upload;
    private Response refusal;

    private boolean inputEnded;
    private volatile long readAt = System.nanoTime();
    private volatile boolean waiting;
    private volatile boolean answered;
    private volatile Throwable failure;

    private IncomingFiles(Call call, ServletInputStream input, AsyncResponse response) {
        this.call = call;
        this.input = input;
        this.response = response;
    }

    /** Begins to read; answers in any case. */
    static void receive(
            Call call,
            Supplier<UploadRequest> request,
            ServletInputStream input,
            AsyncResponse response) {
        IncomingFiles files = new IncomingFiles(call, input, response);
        try {
            files.prepare(request.get());
        } catch (RestError wrong) {
            files.refuse(wrong);
        }
        input.setReadListener(files);
        files.listen(files.silence);
    }

    /** Looks now and then whether the client still sends; the sandbox may take its time. */
    private void listen(Duration delay) {
        after(delay, this::heard);
    }

    private void heard() {
        if (answered) {
            return;
        }
        Duration quiet = Duration.ofNanos(System.nanoTime() - readAt);
        boolean ours = waiting || inputEnded || refusal != null;
        if (ours || quiet.compareTo(silence) < 0) {
            listen(ours ? silence : silence.minus(quiet).plusMillis(1));
            return;
        }
        if (upload != null) {
            upload.cancel();
        }
        RestError late = new RestError(408, "nothing came for " + silence.toSeconds() + " seconds");
        answer(Answers.early(call, Answers.refusedRest(call, late)));
    }

    private void after(Duration delay, Runnable action) {
        call.exchange().getIoThread().executeAfter(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void prepare(UploadRequest asked) {
        request = asked;
        gzip = asked.gzip() ? new GzipReader() : null;
        multipart = asked.boundary().map(MultipartReader::new).orElse(null);
        if (multipart == null) {
            events.add(new MultipartReader.Begin(new PartHeader("file", null)));
        }
    }

    @Override
    public void onDataAvailable() {
        pumping.run();
    }

    @Override
    public void onAllDataRead() {
        pumping.run();
    }

    /** The client has left, or what it sent was no HTTP. */
    @Override
    public void onError(Throwable thrown) {
        lost();
    }

    private void pump() {
        try {
            drain();
        } catch (IOException e) {
            lost();
        } catch (RuntimeException e) {
            refuse(e);
            pumping.run(); // the rest of the body is still to be dropped
        }
    }

    private void drain() throws IOException {
        while (!answered && !waiting) {
            if (refusal != null) {
                if (!dropped()) {
                    return;
                }
            } else if (failure != null) {
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

    /** Whether the refused body came to its end, so that the refusal is sent. */
    private boolean dropped() throws IOException {
        while (input.isReady()) {
            if (input.read(raw) < 0) {
                break;
            }
        }
        if (input.isFinished()) {
            answer(refusal);
        }
        return input.isFinished();
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
            return ended();
        }
        int length = 0;
        int more = 0;
        while (length < PIECE && more >= 0 && input.isReady()) {
            more = input.read(raw, length, PIECE - length);
            length += Math.max(0, more);
        }
        if (length == 0) {
            return more >= 0 ? false : ended();
        }
        readAt = System.nanoTime();
        if (gzip == null) {
            parse(raw, length);
        } else {
            gzip.input(raw, 0, length);
        }
        return true;
    }

    private boolean ended() {
        inputEnded = true;
        if (gzip != null) {
            gzip.end();
        }
        if (multipart == null) {
            events.add(new MultipartReader.End());
        } else {
            multipart.end();
        }
        return true;
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
        upload = call.agent().write(path, request.user(), request.metadata());
    }

    private void wrote(FileEntry entry) {
        // Two names of one file are one file, though only the sandbox could tell.
        if (!paths.add("\0" + entry.path())) {
            failure = new RestError(400, "path '" + entry.path() + "' comes twice");
        }
        written.add(FileMessages.written(entry));
    }

    private <T> void await(CompletionStage<T> stage, Consumer<T> then) {
        waiting = true;
        stage.whenComplete(
                (value, thrown) -> {
                    if (thrown != null) {
                        failure = thrown;
                    } else {
                        then.accept(value);
                    }
                    readAt = System.nanoTime();
                    waiting = false;
                    XnioIoThread thread = call.exchange().getIoThread();
                    if (Thread.currentThread() == thread) {
                        pumping.run();
                    } else {
                        thread.execute(pumping::run);
                    }
                });
    }

    /** A refused piece only says that the upload is over; why, its result knows. */
    private void refuse(Throwable thrown) {
        Upload<FileEntry> broken = upload;
        upload = null;
        failure = null;
        events.clear();
        if (broken != null && !(thrown instanceof RestError)) {
            await(broken.result(), entry -> failure = thrown);
            return;
        }
        if (broken != null) {
            broken.cancel();
        }
        refusal = Answers.refusedRest(call, thrown);
        after(PATIENCE, this::cutOff);
    }

    private void cutOff() {
        if (!answered) {
            Resets.reset(call.exchange());
            lost();
        }
    }

    /** Nobody is there to be told, but the container wants an answer to close the books. */
    private void lost() {
        Upload<FileEntry> broken = upload;
        if (broken != null) {
            broken.cancel();
        }
        answer(Answers.refusedRest(call, new RestError(400, "the body could not be read")));
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
