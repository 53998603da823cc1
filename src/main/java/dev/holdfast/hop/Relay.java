package dev.holdfast.hop;

import io.undertow.client.ClientCallback;
import io.undertow.client.ClientConnection;
import io.undertow.client.ClientExchange;
import io.undertow.client.ClientRequest;
import io.undertow.client.ClientResponse;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.Connectors;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.SameThreadExecutor;
import io.undertow.util.Transfer;
import java.io.IOException;
import java.nio.channels.Channel;
import org.jboss.logging.Logger;
import org.xnio.ChannelExceptionHandler;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;

/**
 * One exchange on its way through this node to a peer: all of it on the exchange's I/O thread, with
 * one pooled buffer each way. It ends at the client as it ends at the peer: whole, or cut.
 */
final class Relay implements ClientCallback<ClientConnection> {

    private static final Logger LOG = Logger.getLogger(Relay.class);

    private final HttpServerExchange exchange;
    private final ClientRequest request;
    private final Wire wire;
    private final Way.Share share;
    private final Ending ending;
    private ClientConnection connection;
    private ClientExchange peer;
    private boolean hesitant;
    private boolean received;
    private boolean answered;
    private boolean over;

    /** Ends two connections that were joined. */
    private Runnable parting = () -> {};

    Relay(
            HttpServerExchange exchange,
            ClientRequest request,
            Wire wire,
            Way.Share share,
            Ending ending) {
        this.exchange = exchange;
        this.request = request;
        this.wire = wire;
        this.share = share;
        this.ending = ending;
    }

    /** For whom it is. */
    Way.Share share() {
        return share;
    }

    /** To be called on the I/O thread, in the call of the exchange. */
    void start() {
        exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () ->
                        wire.connect(
                                exchange.getIoThread(),
                                exchange.getConnection().getByteBufferPool(),
                                this));
    }

    @Override
    public void completed(ClientConnection opened) {
        if (over || exchange.isComplete()) {
            wire.giveBack(opened); // nobody waits for it any more
            return;
        }
        connection = opened;
        exchange.addExchangeCompleteListener(
                (done, next) -> {
                    leave();
                    next.proceed();
                });
        try {
            send(opened);
        } catch (
                RuntimeException e) { // of what a client may say, and this one's rules do not allow
            broken(new IOException("the request cannot be passed on", e));
        }
    }

    private void send(ClientConnection opened) {
        opened.sendRequest(
                request,
                new ClientCallback<>() {
                    @Override
                    public void completed(ClientExchange begun) {
                        begin(begun);
                    }

                    @Override
                    public void failed(IOException failure) {
                        broken(failure);
                    }
                });
    }

    @Override
    public void failed(IOException failure) {
        broken(failure);
    }

    /** For whom it is has as much under way as he may. */
    void refused() {
        over = true;
        exchange.dispatch(SameThreadExecutor.INSTANCE, () -> ending.tooMany(exchange));
    }

    /** Nobody hears of the peer any more, which itself may say nothing of that. */
    void lost() {
        exchange.getIoThread()
                .execute(
                        () -> {
                            parting.run();
                            broken(new IOException("nobody hears of the worker any more"));
                        });
    }

    private void begin(ClientExchange begun) {
        peer = begun;
        hesitant = HttpContinue.requiresContinueResponse(exchange);
        if (hesitant) {
            begun.setContinueHandler(wanted -> encourage());
        }
        begun.setResponseListener(
                new ClientCallback<>() {
                    @Override
                    public void completed(ClientExchange with) {
                        answer(with.getResponse());
                    }

                    @Override
                    public void failed(IOException failure) {
                        broken(failure);
                    }
                });
        if (exchange.isRequestComplete()) {
            return; // the connection ends a request without a body itself
        }
        try {
            // Its head goes at once, however long the first byte of the body takes.
            begun.getRequestChannel().flush();
        } catch (IOException e) {
            broken(e);
            return;
        }
        if (!hesitant) {
            sendBody();
        }
    }

    /** The peer wants the body; what it refuses unread is never asked of the client. */
    private void encourage() {
        if (answered || over) {
            return;
        }
        hesitant = false;
        HttpContinue.sendContinueResponse(
                exchange,
                new IoCallback() {
                    @Override
                    public void onComplete(HttpServerExchange of, Sender sender) {
                        sendBody();
                    }

                    @Override
                    public void onException(
                            HttpServerExchange of, Sender sender, IOException failure) {
                        gone(failure);
                    }
                });
    }

    private void sendBody() {
        Transfer.initiateTransfer(
                exchange.getRequestChannel(),
                peer.getRequestChannel(),
                null,
                sink -> end(sink, this::broken),
                on(this::gone),
                on(this::broken),
                exchange.getConnection().getByteBufferPool());
    }

    private void answer(ClientResponse response) {
        if (exchange.isResponseStarted() || over) {
            IoUtils.safeClose(connection);
            return;
        }
        String word = response.getResponseHeaders().getFirst(Hops.HEADER);
        if (Hops.REFUSED.equals(word)) {
            broken(new IOException("it does not take this node's word for a request"));
            return;
        }
        if (Hops.ELSEWHERE.equals(word)) {
            ending.elsewhere();
        }
        answered = true;
        if (hesitant) {
            // The client keeps its body, so nothing more can be read from its connection.
            exchange.setPersistent(false);
            Connectors.terminateRequest(exchange);
        }
        HeaderMap headers = exchange.getResponseHeaders();
        exchange.setStatusCode(response.getResponseCode());
        Headed.answer(response.getResponseHeaders(), headers);
        if (exchange.isUpgrade()) {
            Headed.upgrade(response.getResponseHeaders(), headers);
            exchange.upgradeChannel((upgraded, of) -> join(upgraded));
        } else if (Headed.isLast(response.getResponseHeaders()) && !exchange.isRequestComplete()) {
            exchange.setPersistent(false);
        }
        receiveBody();
    }

    private void receiveBody() {
        StreamSinkChannel sink = exchange.getResponseChannel();
        Transfer.initiateTransfer(
                peer.getResponseChannel(),
                sink,
                null,
                whole -> {
                    received = true;
                    end(whole, this::gone);
                },
                on(this::broken),
                on(this::gone),
                exchange.getConnection().getByteBufferPool());
        try {
            if (!over && !received) {
                sink.flush(); // the head of a stream that says nothing yet
            }
        } catch (IOException e) {
            gone(e);
        }
    }

    /** Says that this was all. */
    private static void end(StreamSinkChannel sink, Failure failure) {
        try {
            sink.shutdownWrites();
            if (sink.flush()) {
                sink.getWriteSetter().set(null);
                return;
            }
            sink.getWriteSetter()
                    .set(
                            ChannelListeners.<StreamSinkChannel>flushingChannelListener(
                                    StreamSinkChannel::suspendWrites,
                                    (channel, e) -> failure.happened(e)));
            sink.resumeWrites();
        } catch (IOException e) {
            failure.happened(e);
        }
    }

    /** Two connections that speak something else from now on. */
    private void join(StreamConnection outer) {
        try {
            Joint joint = new Joint(outer, connection.performUpgrade());
            parting = joint::cut;
            joint.pour(connection.getBufferPool());
        } catch (IOException e) {
            Joint.cut(outer);
        }
    }

    /** The peer's side failed. */
    private void broken(IOException failure) {
        if (over) {
            return;
        }
        LOG.debugf(failure, "Passing %s on has failed", exchange.getRequestURI());
        IoUtils.safeClose(connection);
        if (answered) {
            over = true;
            ending.cut(exchange);
        } else if (!exchange.isResponseStarted()) {
            over = true;
            exchange.dispatch(SameThreadExecutor.INSTANCE, () -> ending.unreachable(exchange));
        }
    }

    /** The client's side failed: nobody is there who could be told. */
    private void gone(IOException failure) {
        over = true;
        IoUtils.safeClose(connection);
        IoUtils.safeClose(exchange.getConnection());
    }

    /** The exchange is complete; a connection that is not at the same point bears no other. */
    private void leave() {
        over = true;
        if (exchange.isUpgrade()) {
            return;
        }
        if (peer != null && isOver(peer) && !isMarked(peer)) {
            wire.giveBack(connection);
        } else {
            IoUtils.safeClose(connection);
        }
    }

    /**
     * Both messages have ended; their channels say so by being closed, and the connection is not.
     */
    private static boolean isOver(ClientExchange peer) {
        return !peer.getRequestChannel().isOpen() && !peer.getResponseChannel().isOpen();
    }

    /** The client's connection takes no more requests once there was a word of another protocol. */
    private static boolean isMarked(ClientExchange peer) {
        return peer.getRequest().getRequestHeaders().contains(Headers.UPGRADE)
                || peer.getRequest().getMethod().equals(Methods.CONNECT)
                || peer.getResponse() == null
                || peer.getResponse().getResponseHeaders().contains(Headers.UPGRADE);
    }

    private static <C extends Channel> ChannelExceptionHandler<C> on(Failure failure) {
        return (channel, e) -> failure.happened(e);
    }

    private interface Failure {
        void happened(IOException failure);
    }
}
