package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.agent.ProcessRef;
import dev.holdfast.agent.Upload;
import dev.holdfast.event.Errand;
import dev.holdfast.gateway.Departures;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;

/**
 * Input for one process in many messages, for as long as the client keeps its request open. It is
 * read as fast as the process takes it; between reads no thread waits. Its end leaves the process's
 * input open.
 *
 * <p>Reading happens on the exchange's I/O thread only, like in {@link IncomingFiles}.
 */
final class StreamedInput implements ReadListener {

    private static final int PIECE = 64 * 1024;

    private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.US_ASCII);

    private final Call call;
    private final ServletInputStream input;
    private final AsyncResponse response;
    private final EnvelopeReader envelopes = new EnvelopeReader();
    private final Deque<byte[]> messages = new ArrayDeque<>();
    private final Errand pumping = new Errand(this::pump);
    private final byte[] raw = new byte[PIECE];
    private XnioExecutor.Key deadline;
    private Departures.Registration departure;
    private ProcessRef process;
    private boolean terminal;
    private Upload<Void> upload;
    private volatile boolean inputEnded;
    private volatile boolean waiting;
    private volatile boolean answered;
    private volatile Throwable failure;

    private StreamedInput(Call call, ServletInputStream input, AsyncResponse response) {
        this.call = call;
        this.input = input;
        this.response = response;
    }

    /** Begins to read; answers in any case. */
    static void receive(Call call, ServletInputStream input, AsyncResponse response) {
        StreamedInput streamed = new StreamedInput(call, input, response);
        streamed.deadline =
                call.terms().deadline().map(d -> streamed.after(d, streamed::late)).orElse(null);
        streamed.departure =
                call.visit().whenGone(() -> streamed.fail(ConnectError.sandboxEnded()));
        input.setReadListener(streamed);
    }

    @Override
    public void onDataAvailable() {
        pumping.run();
    }

    @Override
    public void onAllDataRead() {
        pumping.run();
    }

    /** The client has left. */
    @Override
    public void onError(Throwable thrown) {
        failure = ConnectError.invalid("the request could not be read");
        pumping.run();
    }

    private void late() {
        fail(new ConnectError(ConnectCode.DEADLINE_EXCEEDED, "the call's timeout has passed"));
    }

    /** From any thread; what waits for the process waits no more. */
    private void fail(Throwable reason) {
        failure = reason;
        waiting = false;
        wake();
    }

    private void wake() {
        XnioIoThread thread = call.exchange().getIoThread();
        if (Thread.currentThread() == thread) {
            pumping.run();
        } else {
            thread.execute(pumping::run);
        }
    }

    private void pump() {
        try {
            drain();
        } catch (IOException | RuntimeException e) {
            refuse(e instanceof IOException ? ConnectError.invalid("unreadable") : e);
        }
    }

    private void drain() throws IOException {
        while (!answered && !waiting) {
            if (failure != null) {
                refuse(failure);
            } else if (!messages.isEmpty()) {
                handle(Message.parse(messages.remove()));
            } else if (inputEnded) {
                complete();
            } else if (!read()) {
                return;
            }
        }
    }

    /** Whether something came; if not, the listener is called when it does. */
    private boolean read() throws IOException {
        if (input.isFinished()) {
            inputEnded = true;
            envelopes.end();
            return true;
        }
        if (!input.isReady()) {
            return false;
        }
        int length = input.read(raw);
        if (length > 0) {
            messages.addAll(envelopes.feed(raw, length));
        }
        return true;
    }

    private void handle(Message message) {
        message.message("start").ifPresent(this::start);
        message.message("data").ifPresent(this::data);
    }

    private void start(Message start) {
        if (process != null) {
            throw ConnectError.invalid("a stream of input has one start");
        }
        process = ProcessMessages.which(start);
    }

    private void data(Message data) {
        if (process == null) {
            throw ConnectError.invalid("a stream of input begins with its start");
        }
        ProcessMessages.Input given = ProcessMessages.input(data);
        if (upload == null) {
            terminal = given.terminal();
            upload = call.agent().input(process, terminal);
            upload.result().whenComplete(this::over);
        } else if (terminal != given.terminal()) {
            throw new ConnectError(
                    ConnectCode.INTERNAL, "a process reads from a pipe or a terminal, not both");
        }
        await(upload.send(ByteBuffer.wrap(given.bytes())), () -> {});
    }

    /** A process that cannot be written to says so, whether or not more is sent. */
    private void over(Void done, Throwable thrown) {
        if (thrown != null && !answered) {
            fail(thrown);
        }
    }

    private void complete() {
        if (process == null) {
            throw ConnectError.invalid("a stream of input begins with its start");
        }
        CompletionStage<Void> last =
                upload == null ? exists() : Failures.closedInput(upload.finish());
        await(
                last,
                () -> {
                    byte[] empty = Envelope.message(NOTHING);
                    byte[] end = Envelope.end();
                    byte[] both =
                            ByteBuffer.allocate(empty.length + end.length)
                                    .put(empty)
                                    .put(end)
                                    .array();
                    answer(Response.ok(both, Answers.STREAM).build());
                });
    }

    /** Whether there is such a process, when nothing was sent to it. */
    private CompletionStage<Void> exists() {
        return call.agent()
                .input(process, ByteBuffer.allocate(0))
                .exceptionally(
                        thrown -> {
                            if (Failures.cause(thrown) instanceof AgentException refused
                                    && refused.code() == ErrorCode.FAILED_PRECONDITION) {
                                return null;
                            }
                            throw new CompletionException(Failures.cause(thrown));
                        });
    }

    private void await(CompletionStage<Void> stage, Runnable then) {
        waiting = true;
        stage.whenComplete(
                (done, thrown) -> {
                    if (thrown == null) {
                        then.run();
                    } else if (failure == null) {
                        failure = thrown;
                    }
                    waiting = false;
                    wake();
                });
    }

    /** A refused piece only says that the upload is over; why, its result knows. */
    private void refuse(Throwable thrown) {
        messages.clear();
        Upload<Void> broken = upload;
        upload = null;
        failure = null;
        if (broken == null) {
            answer(Answers.unopened(call, thrown));
        } else if (!(Failures.cause(thrown) instanceof AgentException)) {
            broken.cancel();
            answer(Answers.unopened(call, thrown));
        } else {
            waiting = true;
            Failures.closedInput(broken.result())
                    .whenComplete(
                            (done, reason) ->
                                    answer(
                                            Answers.unopened(
                                                    call, reason == null ? thrown : reason)));
        }
    }

    private synchronized void answer(Response answer) {
        if (answered) {
            return;
        }
        answered = true;
        if (deadline != null) {
            deadline.remove();
        }
        if (departure != null) {
            departure.close();
        }
        call.worker()
                .execute(() -> response.resume(inputEnded ? answer : Answers.early(call, answer)));
    }

    private XnioExecutor.Key after(Duration delay, Runnable action) {
        return call.exchange()
                .getIoThread()
                .executeAfter(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
