package dev.holdfast.hop;

import io.undertow.client.ClientCallback;
import io.undertow.client.ClientConnection;
import io.undertow.client.http.HttpClientProvider;
import io.undertow.connector.ByteBufferPool;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.IoFuture;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;
import org.xnio.ssl.SslConnection;
import org.xnio.ssl.XnioSsl;

/**
 * The connections to one peer. Each belongs to an I/O thread for good, and those that nobody uses
 * wait a while for the next request of that thread.
 */
final class Wire {

    /** An unreachable worker is told at once, not after its host's own time-outs. */
    static final Duration CONNECT = Duration.ofSeconds(3);

    /**
     * Shorter than a listener keeps a connection without a request, so that none is just ending.
     */
    private static final Duration IDLE = Duration.ofSeconds(15);

    private static final int MOST_IDLE = 16;

    private final Peer peer;
    private final Traffic traffic;

    /** Each until it is given back or closed. */
    private final Map<ClientConnection, Relay> used = new ConcurrentHashMap<>();

    /** By thread; each is touched by its thread alone. */
    private final Map<XnioIoThread, Deque<ClientConnection>> idle = new ConcurrentHashMap<>();

    private volatile XnioSsl ssl;

    /**
     * @param most connections that are in use
     */
    Wire(Peer peer, int most) {
        this.peer = peer;
        this.traffic = new Traffic(most);
    }

    /** Gives a relay a connection that nobody else uses; to be called on the thread. */
    void connect(XnioIoThread thread, ByteBufferPool pool, Relay relay) {
        if (!traffic.admit(relay)) {
            relay.refused();
            return;
        }
        Deque<ClientConnection> waiting = waiting(thread);
        for (ClientConnection each = waiting.poll(); each != null; each = waiting.poll()) {
            if (each.isOpen()) {
                give(each, relay);
                return;
            }
        }
        Opening opening = new Opening(pool, relay);
        opening.deadline =
                thread.executeAfter(
                        () -> opening.fail(new IOException("it took too long")),
                        CONNECT.toMillis(),
                        TimeUnit.MILLISECONDS);
        IoFuture<SslConnection> future =
                ssl(thread.getWorker().getXnio())
                        .openSslConnection(
                                thread,
                                peer.address(),
                                opening::connected,
                                OptionMap.create(
                                        Options.SSL_STARTTLS, true, Options.TCP_NODELAY, true));
        opening.abandoned = future::cancel;
        future.addNotifier(opening.notifier(), null);
    }

    /** Whoever has used it to the end of both messages gives it back. */
    void giveBack(ClientConnection connection) {
        release(connection);
        XnioIoThread thread = connection.getIoThread();
        Deque<ClientConnection> waiting = waiting(thread);
        if (!connection.isOpen() || waiting.size() >= MOST_IDLE) {
            IoUtils.safeClose(connection);
            return;
        }
        waiting.push(connection);
        thread.executeAfter(
                () -> {
                    if (waiting.remove(connection)) {
                        IoUtils.safeClose(connection);
                    }
                },
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /**
     * Ends all that is under way; to be called on any thread.
     *
     * @return how much that was
     */
    int cut() {
        List<Relay> all = traffic.all();
        all.forEach(Relay::lost);
        return all.size();
    }

    private void give(ClientConnection connection, Relay relay) {
        used.put(connection, relay);
        if (!connection.isOpen()) {
            release(connection); // whoever closed it may have come before
        }
        relay.completed(connection);
    }

    private void release(ClientConnection connection) {
        Relay relay = used.remove(connection);
        if (relay != null) {
            traffic.dismiss(relay);
        }
    }

    private void failed(Relay relay, IOException failure) {
        traffic.dismiss(relay);
        relay.failed(failure);
    }

    private Deque<ClientConnection> waiting(XnioIoThread thread) {
        return idle.computeIfAbsent(thread, t -> new ArrayDeque<>());
    }

    private XnioSsl ssl(Xnio xnio) {
        XnioSsl made = ssl;
        if (made == null) {
            made =
                    new UndertowXnioSsl(
                            xnio, OptionMap.EMPTY, Pin.context(peer.row().certificates()));
            ssl = made;
        }
        return made;
    }

    /** One attempt, on its thread: the connection, its failure and the deadline race. */
    private final class Opening {

        private final ByteBufferPool pool;
        private final Relay relay;
        private final AtomicBoolean settled = new AtomicBoolean();
        private XnioExecutor.Key deadline;
        private Runnable abandoned = () -> {};
        private SslConnection connection;

        Opening(ByteBufferPool pool, Relay relay) {
            this.pool = pool;
            this.relay = relay;
        }

        IoFuture.HandlingNotifier<SslConnection, Void> notifier() {
            return new IoFuture.HandlingNotifier<>() {
                @Override
                public void handleFailed(IOException failure, Void nothing) {
                    fail(failure);
                }
            };
        }

        /** The handshake is ours: nothing is sent before the other side has proved itself. */
        void connected(SslConnection fresh) {
            if (settled.get()) {
                IoUtils.safeClose(fresh);
                return;
            }
            connection = fresh;
            fresh.getHandshakeSetter().set(proved -> proved.getIoThread().execute(this::proved));
            fresh.getSourceChannel().setReadListener(source -> look());
            try {
                fresh.startHandshake();
                fresh.getSourceChannel().resumeReads();
            } catch (IOException e) {
                fail(e);
            }
        }

        /** Reading moves the handshake; a peer has nothing to say before it is asked. */
        private void look() {
            try {
                if (connection.getSourceChannel().read(ByteBuffer.allocate(1)) != 0) {
                    fail(new EOFException("it closed the connection, or spoke unasked"));
                }
            } catch (IOException e) {
                fail(e);
            }
        }

        private void proved() {
            if (!settles()) {
                return;
            }
            connection.getHandshakeSetter().set(null);
            connection.getSourceChannel().suspendReads();
            HttpClientProvider.alpnProtocol(
                            new Opened(relay),
                            URI.create("https://" + peer.worker()),
                            pool,
                            OptionMap.EMPTY)
                    .getSelected()
                    .handleEvent(connection);
        }

        void fail(IOException failure) {
            if (settles()) {
                abandoned.run();
                IoUtils.safeClose(connection);
                Wire.this.failed(relay, failure);
            }
        }

        private boolean settles() {
            deadline.remove();
            return settled.compareAndSet(false, true);
        }
    }

    /** A connection over which requests can be sent, for a first relay and for others. */
    private final class Opened implements ClientCallback<ClientConnection> {

        private final Relay relay;

        Opened(Relay relay) {
            this.relay = relay;
        }

        @Override
        public void completed(ClientConnection connection) {
            connection.addCloseListener(
                    closed -> {
                        release(closed);
                        waiting(closed.getIoThread()).remove(closed);
                    });
            give(connection, relay);
        }

        @Override
        public void failed(IOException failure) {
            Wire.this.failed(relay, failure);
        }
    }
}
