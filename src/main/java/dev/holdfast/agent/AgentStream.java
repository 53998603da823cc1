package dev.holdfast.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One operation in progress: its credit in both directions, what is to be sent and what was
 * received. Fields are guarded by the channel's lock, except the mailbox, which hands events to the
 * {@link Listener} one at a time.
 */
final class AgentStream {

    /** Told one event at a time, on the channel's executor. */
    interface Listener {
        default void accepted(Members result) {}

        /** Each byte must be given back with {@link AgentStream#consumed}. */
        default void received(int sub, ByteBuffer bytes) {}

        /** Exactly once, last. */
        void ended(Members result);

        /** Exactly once, last. */
        void failed(AgentException failure);
    }

    /** Bytes waiting to be sent, and who waits for that. */
    record Sending(ByteBuffer bytes, boolean last, CompletableFuture<Void> sent) {}

    private static final int MOST_WAITING = 4 * 1024 * 1024;
    private static final int GRANT = 64 * 1024;

    final int number;
    private final AgentChannel channel;
    private final Mailbox mailbox;
    private final Listener listener;
    private final Deque<Sending> sendings = new ArrayDeque<>();
    private final ByteArrayOutputStream json = new ByteArrayOutputStream();
    private int waiting;
    private int credit = Frame.WINDOW;
    private int window = Frame.WINDOW;
    private int unread;
    private int consumed;
    private boolean open = true;

    /** Why it is closed: whoever sends too late hears the same as who sent before. */
    private AgentException closed;

    private boolean accepted;
    boolean ready;

    AgentStream(AgentChannel channel, int number, Listener listener) {
        this.channel = channel;
        this.number = number;
        this.listener = listener;
        this.mailbox = new Mailbox(channel.executor(), this::broken);
    }

    /**
     * So many received bytes are dealt with; more than were received is a mistake of the caller.
     */
    void consumed(int bytes) {
        channel.locked(
                () -> {
                    if (bytes < 0 || bytes > unread) {
                        throw new IllegalArgumentException(bytes + " bytes returned of " + unread);
                    }
                    unread -= bytes;
                    consumed += bytes;
                    if (open && consumed >= GRANT) {
                        window += consumed;
                        channel.sendCredit(number, consumed);
                        consumed = 0;
                    }
                });
    }

    /** Completes when the bytes are on their way and the buffer is the caller's again. */
    CompletionStage<Void> send(ByteBuffer bytes, boolean last) {
        var sent = new CompletableFuture<Void>();
        channel.locked(
                () -> {
                    if (!open) {
                        sent.completeExceptionally(closed);
                    } else if (waiting + bytes.remaining() > MOST_WAITING && waiting > 0) {
                        sent.completeExceptionally(
                                new AgentException(
                                        ErrorCode.RESOURCE_EXHAUSTED,
                                        "too much is waiting to be sent"));
                    } else {
                        waiting += bytes.remaining();
                        sendings.add(new Sending(bytes.duplicate(), last, sent));
                        channel.ready(this);
                    }
                });
        return sent;
    }

    /** The caller is no longer interested. */
    void cancel() {
        channel.locked(
                () -> {
                    if (open) {
                        channel.sendCancel(number);
                        close(new AgentException(ErrorCode.UNAVAILABLE, "cancelled"), false);
                    }
                });
    }

    // From here on: called by the channel, which holds its lock.

    boolean canSend() {
        return open
                && !sendings.isEmpty()
                && (credit > 0 || !sendings.peek().bytes().hasRemaining());
    }

    /** Puts one data frame into the batch. */
    void sendInto(ByteBuffer out, int sequence) {
        var sending = sendings.element();
        var length = Math.min(sending.bytes().remaining(), Math.min(credit, Frame.MAX_BODY));
        var body = sending.bytes().slice().limit(length);
        sending.bytes().position(sending.bytes().position() + length);
        credit -= length;
        waiting -= length;
        var done = !sending.bytes().hasRemaining();
        var flags = done && sending.last() ? Frame.LAST : 0;
        Frame.put(out, Frame.Kind.DATA, flags, number, sequence, 0, body);
        if (done) {
            sendings.remove();
            mailbox.post(() -> sending.sent().complete(null));
        }
    }

    void receive(Frame frame) {
        if (!open) {
            return;
        }
        switch (frame.kind()) {
            case DATA -> data(frame.payload());
            case CREDIT -> credit(frame.payload());
            case ACCEPT, END, ERROR -> json(frame);
            default ->
                    throw AgentException.reset("a frame of kind " + frame.kind() + " on a stream");
        }
    }

    /** Fails what waits; the listener hears of it when asked to. */
    void close(AgentException reason, boolean tell) {
        if (!open) {
            return;
        }
        open = false;
        closed = reason;
        channel.forget(this);
        var waiters = new ArrayDeque<>(sendings);
        sendings.clear();
        mailbox.post(() -> waiters.forEach(w -> w.sent().completeExceptionally(reason)));
        if (tell) {
            mailbox.post(() -> listener.failed(reason));
        }
    }

    private void data(ByteBuffer payload) {
        if (!payload.hasRemaining()) {
            throw AgentException.reset("a data frame without a sub-channel");
        }
        var sub = payload.get();
        var length = payload.remaining();
        if (length == 0) {
            return;
        }
        window -= length;
        unread += length;
        if (window < 0) {
            throw AgentException.reset("the agent sent more than its credit");
        }
        mailbox.post(sub, payload, listener::received);
    }

    private void credit(ByteBuffer payload) {
        if (payload.remaining() != 4 || payload.getInt(0) < 0) {
            throw AgentException.reset("a credit frame that is none");
        }
        credit = (int) Math.min((long) credit + payload.getInt(0), 1 << 30);
        channel.ready(this);
    }

    private void json(Frame frame) {
        if (json.size() + frame.payload().remaining() > Frame.MAX_JSON) {
            throw AgentException.reset("an answer is larger than " + Frame.MAX_JSON + " bytes");
        }
        var piece = new byte[frame.payload().remaining()];
        frame.payload().get(piece);
        json.writeBytes(piece);
        if (frame.has(Frame.MORE)) {
            return;
        }
        var result = Members.parse(json.toByteArray());
        json.reset();
        if (frame.kind() == Frame.Kind.ACCEPT) {
            if (!accepted) {
                accepted = true;
                mailbox.post(() -> listener.accepted(result));
            }
            return;
        }
        var failure = new AgentException(ErrorCode.of(result.text("code")), result.text("message"));
        close(
                frame.kind() == Frame.Kind.ERROR
                        ? failure
                        : AgentException.unavailable("the operation is over"),
                frame.kind() == Frame.Kind.ERROR);
        if (frame.kind() == Frame.Kind.END) {
            mailbox.post(() -> listener.ended(result));
        }
    }

    /** A listener threw: its stream ends, the channel does not. */
    private void broken(Throwable problem) {
        AgentChannel.LOG.log(System.Logger.Level.WARNING, "a listener failed", problem);
        cancel();
    }
}
