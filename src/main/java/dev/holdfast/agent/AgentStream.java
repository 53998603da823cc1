package dev.holdfast.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One operation in progress: its credit in both directions, what is to be sent and what was
 * received. Fields are guarded by the channel's lock, except the mailbox, which hands events to the
 * {@link Listener} one at a time.
 */
final class AgentStream {

    /**
     * Told one event at a time, on the channel's executor. One that throws ends its stream: it is
     * told that as its failure, and nothing else.
     */
    interface Listener {
        /** Before anything else, in the thread that asks. */
        default void begun(AgentStream stream) {}

        default void accepted(Members result) {}

        /** Each byte must be given back with {@link AgentStream#consumed}. */
        default void received(int sub, ByteBuffer bytes) {}

        /** Exactly once, last. */
        void ended(Members result);

        /** Exactly once, last. */
        void failed(AgentException failure);
    }

    private static final int GRANT = 64 * 1024;

    final int number;
    private final AgentChannel channel;
    private final Bound bound;
    private final Mailbox mailbox;
    private final Listener listener;

    /** What is held of what was said; it goes when the last of it has been told. */
    private final Room room;

    private final Sendings sendings;
    private ByteArrayOutputStream json = new ByteArrayOutputStream();
    private int credit = Frame.WINDOW;
    private int window = Frame.WINDOW;
    private int unread;
    private int consumed;
    private boolean open = true;

    /** Why it is closed: whoever sends too late hears the same as who sent before. */
    private AgentException closed;

    private boolean accepted;
    boolean ready;

    /** The listener threw; only its own turns look at this. */
    private boolean deaf;

    AgentStream(AgentChannel channel, int number, Bound bound, Listener listener) {
        this.channel = channel;
        this.number = number;
        this.bound = bound;
        this.listener = listener;
        this.room = channel.room().within(bound.held());
        this.sendings = new Sendings(channel.room());
        this.mailbox = new Mailbox(channel.executor(), this::broken);
        listener.begun(this);
    }

    /** Where its listener holds what it puts together; closed behind the listener's last turn. */
    Room room() {
        return room;
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

    /**
     * Completes when the bytes are on their way and the buffer is the caller's again. What there is
     * no room for ends the stream.
     */
    CompletionStage<Void> send(ByteBuffer bytes, boolean last) {
        var sent = new CompletableFuture<Void>();
        channel.locked(
                () -> {
                    if (!open) {
                        sent.completeExceptionally(closed);
                    } else if (sendings.add(bytes, last, sent)) {
                        channel.ready(this);
                    } else {
                        var full =
                                new AgentException(
                                        ErrorCode.RESOURCE_EXHAUSTED,
                                        "too much is waiting to be sent");
                        channel.sendCancel(number);
                        fail(full);
                        sent.completeExceptionally(full);
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
                        close(new AgentException(ErrorCode.UNAVAILABLE, "cancelled"), () -> {});
                    }
                });
    }

    /** The caller waits no longer, and is told why. */
    void giveUp(AgentException why) {
        channel.locked(
                () -> {
                    if (open) {
                        channel.sendCancel(number);
                        fail(why);
                    }
                });
    }

    // From here on: called by the channel, which holds its lock.

    boolean canSend() {
        return open
                && !sendings.isEmpty()
                && (credit > 0 || !sendings.first().bytes().hasRemaining());
    }

    /** Puts one data frame into the batch. */
    void sendInto(ByteBuffer out, int sequence) {
        var sending = sendings.first();
        var length = Math.min(sending.bytes().remaining(), Math.min(credit, Frame.MAX_BODY));
        var body = sending.bytes().slice().limit(length);
        sending.bytes().position(sending.bytes().position() + length);
        credit -= length;
        var done = !sending.bytes().hasRemaining();
        var flags = done && sending.last() ? Frame.LAST : 0;
        Frame.put(out, Frame.Kind.DATA, flags, number, sequence, 0, body);
        if (done) {
            sendings.left();
            mailbox.post(() -> sending.sent().complete(null));
        }
    }

    void receive(Frame frame) {
        if (!open) {
            return;
        }
        try {
            switch (frame.kind()) {
                case DATA -> data(frame.payload());
                case CREDIT -> credit(frame.payload());
                case ACCEPT, END, ERROR -> json(frame);
                default ->
                        throw AgentException.reset(
                                "a frame of kind " + frame.kind() + " on a stream");
            }
        } catch (AgentException refused) {
            if (refused.code() != ErrorCode.TOO_LARGE) {
                throw refused;
            }
            channel.sendCancel(number);
            fail(refused);
        }
    }

    /** Fails what waits, and tells the listener. */
    void fail(AgentException reason) {
        if (open) {
            close(reason, () -> listener.failed(reason));
        }
    }

    /**
     * @param farewell the listener's last turn
     */
    private void close(AgentException reason, Runnable farewell) {
        open = false;
        closed = reason;
        channel.forget(this);
        var waiters = sendings.close();
        mailbox.post(() -> waiters.forEach(w -> w.sent().completeExceptionally(reason)));
        tell(farewell);
        mailbox.post(room::close);
    }

    private void tell(Runnable turn) {
        mailbox.post(
                () -> {
                    if (!deaf) {
                        turn.run();
                    }
                });
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
        if (window < 0) {
            throw AgentException.reset("the agent sent more than its credit");
        }
        room.take(length);
        unread += length;
        mailbox.post(sub, payload, this::told);
    }

    /** Held until the listener has seen it; where it goes from there it is counted again. */
    private void told(int sub, ByteBuffer bytes) {
        var length = bytes.remaining();
        try {
            if (!deaf) {
                listener.received(sub, bytes);
            }
        } finally {
            room.give(length);
        }
    }

    private void credit(ByteBuffer payload) {
        if (payload.remaining() != 4 || payload.getInt(0) < 0) {
            throw AgentException.reset("a credit frame that is none");
        }
        credit = (int) Math.min((long) credit + payload.getInt(0), 1 << 30);
        channel.ready(this);
    }

    private void json(Frame frame) {
        var length = frame.payload().remaining();
        var most = Math.min(bound.longest(), Frame.MAX_JSON);
        if (json.size() + length > most) {
            throw AgentException.tooLarge("an answer has more than " + most + " bytes");
        }
        room.take(length);
        var piece = new byte[length];
        frame.payload().get(piece);
        json.writeBytes(piece);
        if (!frame.has(Frame.MORE)) {
            var text = json.toByteArray();
            json = new ByteArrayOutputStream();
            room.give(text.length);
            said(frame.kind(), text);
        }
    }

    /** What a text comes to is held until the listener has had its last turn. */
    private void said(Frame.Kind kind, byte[] text) {
        if (kind == Frame.Kind.ACCEPT && accepted) {
            return;
        }
        room.take(bound.weight(text));
        var result = Members.parse(text);
        switch (kind) {
            case ACCEPT -> {
                accepted = true;
                tell(() -> listener.accepted(result));
            }
            case END ->
                    close(
                            AgentException.unavailable("the operation is over"),
                            () -> listener.ended(result));
            default ->
                    fail(
                            new AgentException(
                                    ErrorCode.of(result.text("code")), result.text("message")));
        }
    }

    /** The listener threw: its stream ends, the channel does not. */
    private void broken(Throwable problem) {
        if (deaf) {
            return;
        }
        deaf = true;
        cancel();
        try {
            listener.failed(reason(problem));
        } catch (RuntimeException again) {
            AgentChannel.LOG.log(System.Logger.Level.WARNING, "a listener failed twice", again);
        }
    }

    private static AgentException reason(Throwable problem) {
        if (problem instanceof AgentException nonsense) {
            return nonsense;
        }
        AgentChannel.LOG.log(System.Logger.Level.WARNING, "a listener failed", problem);
        return new AgentException(ErrorCode.INTERNAL, "what the agent said could not be taken");
    }
}
