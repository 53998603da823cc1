package dev.holdfast.gateway;

import dev.holdfast.hop.Hops;
import dev.holdfast.worker.LiveSandbox;
import dev.holdfast.worker.Presence;
import io.undertow.client.ClientCallback;
import io.undertow.client.ClientConnection;
import io.undertow.client.UndertowClient;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.proxy.ProxyCallback;
import io.undertow.server.handlers.proxy.ProxyClient;
import io.undertow.server.handlers.proxy.ProxyConnection;
import io.undertow.server.handlers.proxy.ProxyHandler;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Protocols;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.XnioExecutor;

/**
 * Passes an exchange through to a port of a sandbox: streaming both ways, WebSocket upgrades
 * included, one connection for each exchange.
 */
final class PortProxy {

    private static final Logger LOG = Logger.getLogger(PortProxy.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** The sandbox writes these; left in, a caller could claim to be someone else. */
    private static final List<HttpString> FORWARDED =
            List.of(
                    Headers.X_FORWARDED_FOR,
                    Headers.X_FORWARDED_HOST,
                    Headers.X_FORWARDED_PORT,
                    Headers.X_FORWARDED_PROTO,
                    Headers.X_FORWARDED_SERVER,
                    Headers.FORWARDED);

    /** Enough for a busy web page; a sandbox cannot take all of the server's descriptors. */
    private static final int MOST_PER_SANDBOX = 512;

    private final Departures departures;

    PortProxy(Departures departures) {
        this.departures = departures;
    }

    /** Sends the exchange on; answers it in any case. */
    void pass(HttpServerExchange exchange, LiveSandbox sandbox, Router.ToSandbox target) {
        HeaderMap headers = exchange.getRequestHeaders();
        InwardHeaders.strip(headers, target.by());
        FORWARDED.forEach(headers::remove);
        String host = headers.getFirst(Headers.HOST);
        if (host != null) {
            headers.put(Headers.X_FORWARDED_HOST, host);
        }
        sandbox.requestHost(target.port()).ifPresent(mask -> headers.put(Headers.HOST, mask));
        exchange.addResponseCommitListener(x -> keepOurs(x.getResponseHeaders(), target.by()));
        if (exchange.getProtocol().equals(Protocols.HTTP_2_0)) {
            exchange.addResponseWrapper((factory, x) -> new PromptConduit(factory.create()));
        }
        exchange.addDefaultResponseListener(x -> answersForSilence(x, sandbox, target.port()));
        HttpHandler proxy =
                ProxyHandler.builder()
                        .setProxyClient(new OnePort(sandbox, target.port()))
                        .setMaxRequestTime(-1)
                        .setMaxConnectionRetries(0)
                        .setRewriteHostHeader(false)
                        .setReuseXForwarded(false)
                        .build();
        try {
            proxy.handleRequest(exchange);
        } catch (Exception e) {
            LOG.debugf(e, "passing to port %d of sandbox %s", target.port(), sandbox.id());
            IoUtils.safeClose(exchange.getConnection());
        }
    }

    /** No program speaks for a node, nor to our host's browsers. */
    private static void keepOurs(HeaderMap answer, Router.By by) {
        answer.remove(Hops.HEADER);
        if (by == Router.By.HEADER) {
            answer.remove(Headers.SET_COOKIE);
        }
    }

    /** The proxy ends an exchange with an empty 503 when the other side closed without answer. */
    private static boolean answersForSilence(
            HttpServerExchange exchange, LiveSandbox sandbox, int port) {
        if (exchange.getStatusCode() != 503 || exchange.isResponseStarted()) {
            return false;
        }
        GatewayAnswers.portSilent(exchange, sandbox.id(), port);
        return true;
    }

    private static void cut(HttpServerExchange exchange, ClientConnection connection) {
        IoUtils.safeClose(connection);
        Resets.reset(exchange);
    }

    /** Connects to one port of one sandbox. */
    private final class OnePort implements ProxyClient {

        private final LiveSandbox sandbox;
        private final int port;

        OnePort(LiveSandbox sandbox, int port) {
            this.sandbox = sandbox;
            this.port = port;
        }

        @Override
        public ProxyTarget findTarget(HttpServerExchange exchange) {
            return new ProxyTarget() {};
        }

        @Override
        public void getConnection(
                ProxyTarget target,
                HttpServerExchange exchange,
                ProxyCallback<ProxyConnection> callback,
                long timeout,
                TimeUnit unit) {
            Connecting connecting = new Connecting(exchange, callback);
            // Counted before it connects, or a burst would pass the bound together.
            connecting.registration = departures.when(sandbox, connecting::gone);
            if (departures.waiting(sandbox) > MOST_PER_SANDBOX) {
                connecting.registration.close();
                exchange.dispatch(
                        SameThreadExecutor.INSTANCE,
                        () -> GatewayAnswers.tooMany(exchange, sandbox.id()));
                return;
            }
            connecting.deadline =
                    exchange.getIoThread()
                            .executeAfter(
                                    connecting::late, CONNECT.toMillis(), TimeUnit.MILLISECONDS);
            UndertowClient.getInstance()
                    .connect(
                            connecting,
                            URI.create("http://" + sandbox.address().getHostAddress() + ":" + port),
                            exchange.getIoThread(),
                            exchange.getConnection().getByteBufferPool(),
                            OptionMap.EMPTY);
        }

        /** One attempt; the connection, its failure and the deadline race for {@link #settled}. */
        private final class Connecting implements ClientCallback<ClientConnection> {

            private final HttpServerExchange exchange;
            private final ProxyCallback<ProxyConnection> callback;
            private final AtomicBoolean settled = new AtomicBoolean();
            private Departures.Registration registration;
            private XnioExecutor.Key deadline;
            private volatile ClientConnection connection;

            Connecting(HttpServerExchange exchange, ProxyCallback<ProxyConnection> callback) {
                this.exchange = exchange;
                this.callback = callback;
            }

            @Override
            public void completed(ClientConnection connection) {
                this.connection = connection;
                if (!settles()) {
                    IoUtils.safeClose(connection);
                    return;
                }
                Presence.Guest guest = sandbox.presence().enter(() -> !connection.isOpen());
                connection.addCloseListener(
                        c -> {
                            registration.close();
                            guest.leave();
                        });
                exchange.addExchangeCompleteListener(
                        (x, next) -> {
                            // After an upgrade the connection outlives its exchange.
                            if (x.getStatusCode() != 101) {
                                IoUtils.safeClose(connection);
                            }
                            next.proceed();
                        });
                callback.completed(exchange, new ProxyConnection(connection, "/"));
            }

            @Override
            public void failed(IOException e) {
                if (settles()) {
                    refuse();
                }
            }

            /** The sandbox left. */
            void gone() {
                if (settled.compareAndSet(false, true)) {
                    exchange.dispatch(
                            SameThreadExecutor.INSTANCE,
                            () -> GatewayAnswers.sandboxGone(exchange, sandbox.id()));
                } else if (connection != null) {
                    cut(exchange, connection);
                }
            }

            void late() {
                if (settled.compareAndSet(false, true)) {
                    refuse();
                }
            }

            private boolean settles() {
                deadline.remove();
                return settled.compareAndSet(false, true);
            }

            private void refuse() {
                registration.close();
                exchange.dispatch(
                        SameThreadExecutor.INSTANCE,
                        () -> GatewayAnswers.portClosed(exchange, sandbox.id(), port));
            }
        }
    }
}
