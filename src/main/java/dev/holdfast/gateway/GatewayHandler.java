package dev.holdfast.gateway;

import dev.holdfast.hop.Hops;
import dev.holdfast.hop.Peer;
import dev.holdfast.hop.Target;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandbox;
import dev.holdfast.worker.LiveSandboxes;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.CanonicalPathUtils;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.SameThreadExecutor;
import jakarta.enterprise.inject.spi.CDI;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Stands before everything the application serves and sends each request where it means to go. */
final class GatewayHandler implements HttpHandler {

    private static final Logger LOG = Logger.getLogger(GatewayHandler.class);

    static final int ENVD_PORT = 49983;
    static final int INTERPRETER_PORT = 49999;

    private static final HttpString SANDBOX_ID = new HttpString("E2b-Sandbox-Id");
    private static final HttpString SANDBOX_PORT = new HttpString("E2b-Sandbox-Port");

    /** What balancers ask. */
    private static final String HEALTH = "/health";

    /** How many pooled buffers (of 16 KiB) of a request to the control plane are collected. */
    private static final int BUFFERS = 64;

    /** How often it was asked whether the request wakes its sandbox. */
    private static final AttachmentKey<Integer> KNOCKS = AttachmentKey.create(Integer.class);

    /** One that left while that was asked has paused, or goes on on another node. */
    private static final int MOST_KNOCKS = 2;

    private final HttpHandler buffered;
    private final HttpHandler uploads;
    private final SandboxPorts ports;
    private volatile LiveSandboxes sandboxes;
    private volatile SandboxTokens tokens;
    private volatile Sleepers sleepers;
    private volatile Signers signers;
    private volatile Across across;
    private volatile Farewell farewell;

    GatewayHandler(HttpHandler application) {
        this.buffered = new MessageBodies(application, BUFFERS);
        this.uploads = new Uploads(application);
        this.ports = new SandboxPorts(application);
    }

    GatewayHandler(HttpHandler application, LiveSandboxes sandboxes, SandboxTokens tokens) {
        this(application);
        this.sandboxes = sandboxes;
        this.tokens = tokens;
    }

    GatewayHandler(
            HttpHandler application, LiveSandboxes sandboxes, SandboxTokens tokens, Across across) {
        this(application, sandboxes, tokens);
        this.across = across;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        if (!hasDoors() && exchange.getRequestHeaders().contains(Hops.HEADER)) {
            GatewayAnswers.starting(exchange);
            return;
        }
        if (across != null && !across.admits(exchange)) {
            return;
        }
        boolean leaves = farewell != null && farewell.hasBegun();
        if (leaves && !exchange.getRequestHeaders().contains(Headers.UPGRADE)) {
            exchange.setPersistent(false);
        }
        Router.Decision decision = decide(exchange);
        if (decision instanceof Router.ToSandbox target) {
            toSandbox(exchange, target);
        } else if (decision instanceof Router.ToSigned signed) {
            toSigned(exchange, signed.file());
        } else if (decision instanceof Router.Refused refused) {
            GatewayAnswers.malformed(exchange, refused.message());
        } else if (namesInternalPrefix(exchange)) {
            GatewayAnswers.notFound(exchange);
        } else if (leaves && rawPath(exchange).equals(HEALTH)) {
            GatewayAnswers.stopping(exchange);
        } else {
            toControlPlane(exchange);
        }
    }

    static Router.Decision decide(HttpServerExchange exchange) {
        return Router.decide(
                Target.host(exchange),
                values(exchange, SANDBOX_ID),
                values(exchange, SANDBOX_PORT),
                SignedFile.of(exchange));
    }

    private void toControlPlane(HttpServerExchange exchange) throws Exception {
        HttpHandler here = Uploads.isOne(exchange) ? uploads : buffered;
        Optional<Errand> errand =
                across == null ? Optional.empty() : Errand.of(exchange.getRelativePath());
        boolean local = errand.flatMap(Errand::sandbox).flatMap(sandboxes::find).isPresent();
        if (errand.isEmpty() || local) {
            here.handleRequest(exchange);
        } else {
            across.orLocally(exchange, errand.get(), here);
        }
    }

    private void toSandbox(HttpServerExchange exchange, Router.ToSandbox target) throws Exception {
        if (!hasDoors()) {
            GatewayAnswers.starting(exchange);
            return;
        }
        Optional<LiveSandbox> live = sandboxes.find(target.sandbox());
        if (isOurs(target.port()) && Cors.answer(exchange)) {
            return;
        }
        Optional<Peer> known =
                live.isPresent() || across == null
                        ? Optional.empty()
                        : across.known(exchange, target.sandbox());
        int knocks = Optional.ofNullable(exchange.getAttachment(KNOCKS)).orElse(0);
        boolean asleep =
                live.map(found -> found.isHeld() && knocks == 0).orElse(knocks < MOST_KNOCKS);
        if (known.isPresent()) {
            across.pass(exchange, target, known.get());
        } else if (asleep && sleepers != null) {
            exchange.putAttachment(KNOCKS, knocks + 1);
            knock(exchange, target);
        } else if (live.isEmpty() && knocks > 0) {
            GatewayAnswers.moved(exchange, target.sandbox());
        } else if (live.isEmpty()) {
            GatewayAnswers.sandboxGone(exchange, target.sandbox());
        } else {
            ports.serve(exchange, live.get(), target, tokens);
        }
    }

    /** Asks whether the sandbox is paused and this request wakes it; no thread waits. */
    private void knock(HttpServerExchange exchange, Router.ToSandbox target) {
        Sleepers.Knock knock =
                new Sleepers.Knock(
                        target.sandbox(),
                        target.port() == ENVD_PORT,
                        exchange.getRequestHeaders().getFirst(InwardHeaders.ACCESS_TOKEN),
                        SignedFile.of(exchange),
                        exchange.getRequestHeaders().getFirst(InwardHeaders.TRAFFIC_TOKEN));
        exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () ->
                        sleepers.wake(knock)
                                .whenComplete(
                                        (attempt, failure) ->
                                                exchange.dispatch(
                                                        exchange.getIoThread(),
                                                        x -> answered(x, target, attempt))));
    }

    private void answered(
            HttpServerExchange exchange, Router.ToSandbox target, Sleepers.Attempt attempt)
            throws Exception {
        if (attempt instanceof Sleepers.Attempt.Gone) {
            GatewayAnswers.sandboxGone(exchange, target.sandbox());
        } else if (attempt instanceof Sleepers.Attempt.Refused) {
            GatewayAnswers.wakingRefused(exchange, target.sandbox());
        } else if (attempt instanceof Sleepers.Attempt.Closed closed) {
            GatewayAnswers.projectClosed(exchange, target.sandbox(), closed.why());
        } else if (attempt instanceof Sleepers.Attempt.Failed failed) {
            GatewayAnswers.notWoken(exchange, target.sandbox(), failed.problem());
        } else if (attempt instanceof Sleepers.Attempt.Elsewhere elsewhere) {
            across.pass(exchange, target, elsewhere.peer());
        } else if (attempt instanceof Sleepers.Attempt.OutOfReach) {
            GatewayAnswers.unreachable(exchange, target.sandbox());
        } else {
            toSandbox(exchange, target);
        }
    }

    /** The address names no sandbox, so a wrong one cannot be told from one of a dead sandbox. */
    private void toSigned(HttpServerExchange exchange, SignedFile file) throws Exception {
        if (!hasDoors()) {
            GatewayAnswers.starting(exchange);
            return;
        }
        Optional<SandboxId> signer = file.isPlausible() ? signer(file) : Optional.empty();
        if (signer.isEmpty() && signers != null && !Hops.isHop(exchange) && file.isPlausible()) {
            askForSigner(exchange, file);
        } else {
            toSigner(exchange, signer);
        }
    }

    private void toSigner(HttpServerExchange exchange, Optional<SandboxId> signer)
            throws Exception {
        if (signer.isPresent()) {
            toSandbox(exchange, new Router.ToSandbox(signer.get(), ENVD_PORT, Router.By.SIGNATURE));
        } else if (!Cors.answer(exchange)) {
            GatewayAnswers.unauthorized(exchange, "invalid signature");
        }
    }

    /** Among the sandboxes of the other nodes; no thread waits. */
    private void askForSigner(HttpServerExchange exchange, SignedFile file) {
        exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () ->
                        signers.find(file)
                                .whenComplete(
                                        (signer, failure) ->
                                                exchange.dispatch(
                                                        exchange.getIoThread(),
                                                        x -> {
                                                            if (failure == null) {
                                                                toSigner(x, signer);
                                                            } else {
                                                                GatewayAnswers.busy(x);
                                                            }
                                                        })));
    }

    /** Whoever may answer for a signature stands here: the live sandboxes of this worker. */
    private Optional<SandboxId> signer(SignedFile file) {
        SignedFile.Candidate candidate = file.candidate();
        return sandboxes.all().stream()
                .map(LiveSandbox::id)
                .filter(id -> candidate.isSignedWith(tokens.access(id)))
                .findFirst();
    }

    static boolean isOurs(int port) {
        return port == ENVD_PORT || port == INTERPRETER_PORT;
    }

    /** The beans exist once the deployment has started; the handler is made before that. */
    private boolean hasDoors() {
        if (sandboxes != null && tokens != null) {
            return true;
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // An I/O thread belongs to no deployment; CDI finds ours by the context class loader.
        thread.setContextClassLoader(GatewayHandler.class.getClassLoader());
        try {
            tokens = CDI.current().select(SandboxTokens.class).get();
            sleepers = CDI.current().select(Sleepers.class).get();
            signers = CDI.current().select(Signers.class).get();
            across = CDI.current().select(Across.class).get();
            farewell = CDI.current().select(Farewell.class).get();
            sandboxes = CDI.current().select(LiveSandboxes.class).get();
            return true;
        } catch (IllegalStateException notStarted) {
            LOG.debug("asked for a sandbox before the deployment has started", notStarted);
            return false;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static boolean namesInternalPrefix(HttpServerExchange exchange) {
        String path = canonical(exchange);
        return path.equals("/-") || path.startsWith("/-/");
    }

    static String canonical(HttpServerExchange exchange) {
        return CanonicalPathUtils.canonicalize(exchange.getRelativePath());
    }

    static String rawPath(HttpServerExchange exchange) {
        return Target.path(exchange);
    }

    private static List<String> values(HttpServerExchange exchange, HttpString name) {
        HeaderValues values = exchange.getRequestHeaders().get(name);
        return values == null ? List.of() : List.copyOf(values);
    }
}
