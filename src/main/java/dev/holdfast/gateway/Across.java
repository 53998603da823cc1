package dev.holdfast.gateway;

import dev.holdfast.hop.Ending;
import dev.holdfast.hop.Hops;
import dev.holdfast.hop.Peer;
import dev.holdfast.hop.Peers;
import dev.holdfast.hop.Way;
import dev.holdfast.hop.Wires;
import dev.holdfast.problem.RequestId;
import dev.holdfast.role.Roles;
import dev.holdfast.sandbox.SandboxId;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import io.undertow.util.Protocols;
import io.undertow.util.SameThreadExecutor;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** What comes from other nodes and what goes to them. */
@ApplicationScoped
class Across {

    private static final Logger LOG = Logger.getLogger(Across.class);

    private static final HttpString REQUEST_ID = new HttpString(RequestId.HEADER);

    private final Hops hops;
    private final Peers peers;
    private final Wires wires;
    private final Roles roles;
    @Resource ManagedExecutorService executor;

    @Inject
    Across(Hops hops, Peers peers, Wires wires, Roles roles) {
        this.hops = hops;
        this.peers = peers;
        this.wires = wires;
        this.roles = roles;
    }

    /** For the container, which makes a stand-in of this class. */
    protected Across() {
        this(null, null, null, null);
    }

    /** Whether the request goes on here; answers it if not. */
    boolean admits(HttpServerExchange exchange) {
        switch (hops.open(exchange)) {
            case FORGED -> {
                GatewayAnswers.hopRefused(exchange);
                return false;
            }
            case OUTSIDE -> {
                if (!roles.control() && !isHealth(exchange)) {
                    GatewayAnswers.noControl(exchange);
                    return false;
                }
                return true;
            }
            default -> {
                return true;
            }
        }
    }

    /** Of this node, and not of a sandbox. */
    private static boolean isHealth(HttpServerExchange exchange) {
        return GatewayHandler.rawPath(exchange).equals("/health")
                && GatewayHandler.decide(exchange) instanceof Router.ControlPlane;
    }

    /** Where a sandbox was a moment ago, for a request that may still go there. */
    Optional<Peer> known(HttpServerExchange exchange, SandboxId sandbox) {
        return Hops.isHop(exchange) ? Optional.empty() : peers.known(sandbox);
    }

    /** Passes the request on to where its sandbox is, if no other node has done so. */
    void pass(HttpServerExchange exchange, Router.ToSandbox target, Peer peer) {
        SandboxId sandbox = target.sandbox();
        if (Hops.isHop(exchange)) {
            exchange.getResponseHeaders().put(Hops.HEADER, Hops.ELSEWHERE);
            GatewayAnswers.moved(exchange, sandbox);
            return;
        }
        boolean ours = GatewayHandler.isOurs(target.port());
        pass(
                exchange,
                Way.to(peer, sandbox),
                ours,
                new Passing(
                        x -> {
                            peers.forget(sandbox);
                            GatewayAnswers.unreachable(x, sandbox);
                        },
                        x -> GatewayAnswers.tooMany(x, sandbox),
                        () -> peers.forget(sandbox)));
    }

    /**
     * Passes a request of the native API on if its errand is another node's; whoever asks shows
     * there what he may.
     */
    void orLocally(HttpServerExchange exchange, Errand errand, HttpHandler local) throws Exception {
        if (Hops.isHop(exchange) || peers.knowsNobody()) {
            local.handleRequest(exchange);
            return;
        }
        exchange.dispatch(SameThreadExecutor.INSTANCE, () -> look(exchange, errand, local));
    }

    /** From memory, or with a thread that may wait. */
    private void look(HttpServerExchange exchange, Errand errand, HttpHandler local) {
        Optional<Way> known =
                errand.sandbox().flatMap(id -> peers.known(id).map(peer -> Way.to(peer, id)));
        if (known.isPresent()) {
            goOn(exchange, errand, known, local);
            return;
        }
        try {
            executor.execute(() -> goOn(exchange, errand, found(errand), local));
        } catch (RejectedExecutionException full) {
            if (peers.foundNobody()) {
                goOn(exchange, errand, Optional.empty(), local);
            } else {
                GatewayAnswers.busyNatively(exchange);
            }
        }
    }

    private Optional<Way> found(Errand errand) {
        try {
            return peers.findsNobody() ? Optional.empty() : errand.way(peers);
        } catch (RuntimeException e) {
            LOG.debug("whoever answers here says what is wrong", e);
            return Optional.empty();
        }
    }

    private void goOn(
            HttpServerExchange exchange, Errand errand, Optional<Way> found, HttpHandler local) {
        exchange.dispatch(
                exchange.getIoThread(),
                x -> {
                    if (found.isEmpty()) {
                        local.handleRequest(x);
                    } else {
                        Runnable forget = () -> errand.sandbox().ifPresent(peers::forget);
                        pass(
                                x,
                                found.get(),
                                true,
                                new Passing(
                                        failed -> {
                                            forget.run();
                                            GatewayAnswers.unreachable(failed, found.get().peer());
                                        },
                                        GatewayAnswers::tooManyNatively,
                                        forget));
                    }
                });
    }

    private void pass(HttpServerExchange exchange, Way way, boolean ours, Ending ending) {
        if (ours) {
            // The answer and both nodes' logs name the request alike.
            HeaderMap headers = exchange.getRequestHeaders();
            headers.put(REQUEST_ID, RequestId.from(headers.getFirst(REQUEST_ID)).toString());
        }
        if (exchange.getProtocol().equals(Protocols.HTTP_2_0)) {
            exchange.addResponseWrapper((factory, x) -> new PromptConduit(factory.create()));
        }
        wires.pass(exchange, way, ending);
    }

    private record Passing(
            Consumer<HttpServerExchange> answers,
            Consumer<HttpServerExchange> refuses,
            Runnable forgets)
            implements Ending {

        @Override
        public void unreachable(HttpServerExchange exchange) {
            answers.accept(exchange);
        }

        @Override
        public void tooMany(HttpServerExchange exchange) {
            refuses.accept(exchange);
        }

        @Override
        public void cut(HttpServerExchange exchange) {
            Resets.reset(exchange);
        }

        @Override
        public void elsewhere() {
            forgets.run();
        }
    }
}
