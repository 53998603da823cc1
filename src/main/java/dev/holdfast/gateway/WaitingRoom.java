package dev.holdfast.gateway;

import io.undertow.server.HandlerWrapper;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits in this server for clients to read it, of all streams together. Each is bounded by
 * itself; a thousand that are would still fill the memory. Where there is no room any more, the one
 * that has the most waiting is ended.
 */
public final class WaitingRoom implements HandlerWrapper {

    /** What a piece takes besides its bytes. */
    static final int PIECE = 64;

    private static final AttachmentKey<WaitingRoom> KEY = AttachmentKey.create(WaitingRoom.class);

    private final long most;
    private final AtomicLong used = new AtomicLong();
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();

    /**
     * @param most in bytes
     */
    public WaitingRoom(long most) {
        this.most = most;
    }

    /** An eighth of the heap. */
    static long usual() {
        return Runtime.getRuntime().maxMemory() / 8;
    }

    static WaitingRoom of(HttpServerExchange exchange) {
        WaitingRoom room = exchange.getAttachment(KEY);
        return room == null ? new WaitingRoom(usual()) : room;
    }

    @Override
    public HttpHandler wrap(HttpHandler next) {
        return exchange -> {
            exchange.putAttachment(KEY, this);
            next.handleRequest(exchange);
        };
    }

    /** How much waits. */
    public long used() {
        return used.get();
    }

    void enter(EventStream stream) {
        streams.add(stream);
    }

    void leave(EventStream stream) {
        streams.remove(stream);
    }

    void add(long bytes) {
        used.addAndGet(bytes);
    }

    void remove(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Not to be called under the lock of a stream: another may be ended for it. */
    void makeRoom() {
        if (used.get() > most) {
            slowest().ifPresent(EventStream::dismiss);
        }
    }

    private Optional<EventStream> slowest() {
        return streams.stream()
                .filter(each -> each.waiting() > 0)
                .max(Comparator.comparingLong(EventStream::waiting));
    }
}
