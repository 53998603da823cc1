package dev.holdfast.gateway;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandbox;
import dev.holdfast.worker.LiveSandboxes;
import dev.holdfast.worker.Presence;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.CanonicalPathUtils;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.SameThreadExecutor;
import jakarta.enterprise.inject.spi.CDI;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/** Stands before everything the application serves and sends each request where it means to go. */
final class GatewayHandler implements HttpHandler {

    private static final Logger LOG = Logger.getLogger(GatewayHandler.class);

    static final int ENVD_PORT = 49983;
    static final int INTERPRETER_PORT = 49999;

    private static final HttpString SANDBOX_ID = new HttpString("E2b-Sandbox-Id");
    private static final HttpString SANDBOX_PORT = new HttpString("E2b-Sandbox-Port");

    /** Operations of envd that only a server may ask for; from outside they do not exist. */
    private static final Set<String> INTERNAL_OPERATIONS =
            Set.of("init", "freeze", "unfreeze", "collapse", "fsfreeze", "fsthaw", "upgrade");

    /** What is read as it comes, however long that takes. */
    private static final Set<String> STREAMED = Set.of("/files", "/process.Process/StreamInput");

    /** How many pooled buffers (of 16 KiB) of a request to the control plane are collected. */
    private static final int BUFFERS = 64;

    /** The same for a message of envd, which may have 4 MiB. */
    private static final int MESSAGE_BUFFERS = 258;

    /** That it was asked whether the request wakes its sandbox. */
    private static final AttachmentKey<Boolean> KNOCKED = AttachmentKey.create(Boolean.class);

    private final HttpHandler application;
    private final HttpHandler buffered;
    private final HttpHandler messages;
    private final HttpHandler uploads;
    private final Departures departures = new Departures();
    private final PortProxy ports = new PortProxy(departures);
    private final Clock clock = Clock.systemUTC();
    private volatile LiveSandboxes sandboxes;
    private volatile SandboxTokens tokens;
    private volatile Sleepers sleepers;

    GatewayHandler(HttpHandler application) {
        this.application = application;
        this.buffered = new MessageBodies(application, BUFFERS);
        this.messages = new MessageBodies(application, MESSAGE_BUFFERS);
        this.uploads = new Uploads(application);
    }

    GatewayHandler(HttpHandler application, LiveSandboxes sandboxes, SandboxTokens tokens) {
        this(application);
        this.sandboxes = sandboxes;
        this.tokens = tokens;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        Router.Decision decision =
                Router.decide(
                        authority(exchange),
                        values(exchange, SANDBOX_ID),
                        values(exchange, SANDBOX_PORT),
                        SignedFile.of(exchange));
        if (decision instanceof Router.ToSandbox target) {
            toSandbox(exchange, target);
        } else if (decision instanceof Router.ToSigned signed) {
            toSigned(exchange, signed.file());
        } else if (decision instanceof Router.Refused refused) {
            GatewayAnswers.malformed(exchange, refused.message());
        } else if (namesInternalPrefix(exchange)) {
            GatewayAnswers.notFound(exchange);
        } else {
            (Uploads.isOne(exchange) ? uploads : buffered).handleRequest(exchange);
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
        boolean asleep = live.map(LiveSandbox::isHeld).orElse(true);
        if (asleep && sleepers != null && exchange.putAttachment(KNOCKED, true) == null) {
            knock(exchange, target);
        } else if (live.isEmpty()) {
            GatewayAnswers.sandboxGone(exchange, target.sandbox());
        } else if (target.port() == ENVD_PORT) {
            toEnvd(exchange, live.get());
        } else if (isRefusedTraffic(exchange, live.get())) {
            GatewayAnswers.trafficRefused(exchange, target.sandbox());
        } else if (target.port() == INTERPRETER_PORT) {
            toInterpreter(exchange, live.get());
        } else {
            attend(exchange, live.get());
            ports.pass(exchange, live.get(), target);
        }
    }

    /** Asks once whether the sandbox is paused and this request wakes it; no thread waits. */
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
            GatewayAnswers.notWoken(exchange, target.sandbox(), failed.status(), failed.message());
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
        if (signer.isPresent()) {
            toSandbox(exchange, new Router.ToSandbox(signer.get(), ENVD_PORT, Router.By.SIGNATURE));
        } else if (!Cors.answer(exchange)) {
            GatewayAnswers.unauthorized(exchange, "invalid signature");
        }
    }

    /** Whoever may answer for a signature stands here: the live sandboxes of this worker. */
    private Optional<SandboxId> signer(SignedFile file) {
        SignedFile.Candidate candidate = file.candidate();
        return sandboxes.all().stream()
                .map(LiveSandbox::id)
                .filter(id -> candidate.isSignedWith(tokens.access(id)))
                .findFirst();
    }

    private void toEnvd(HttpServerExchange exchange, LiveSandbox sandbox) throws Exception {
        if (isInternalOperation(exchange)) {
            GatewayAnswers.notFound(exchange);
            return;
        }
        Optional<String> refusal =
                DataPlaneAccess.refusal(exchange, sandbox, tokens, clock.instant());
        if (refusal.isPresent()) {
            GatewayAnswers.unauthorized(exchange, refusal.get());
            return;
        }
        boolean streams = STREAMED.contains(rawPath(exchange));
        enter(exchange, new Visit(sandbox, departures, true), Gateway.ENVD_PREFIX);
        (streams ? application : messages).handleRequest(exchange);
    }

    private void toInterpreter(HttpServerExchange exchange, LiveSandbox sandbox) throws Exception {
        boolean proved = DataPlaneAccess.isProved(exchange, sandbox, tokens);
        enter(exchange, new Visit(sandbox, departures, proved), Gateway.INTERPRETER_PREFIX);
        messages.handleRequest(exchange);
    }

    private static void enter(HttpServerExchange exchange, Visit visit, String prefix) {
        attend(exchange, visit.sandbox());
        exchange.putAttachment(Gateway.VISIT, visit);
        // Three views of the path: the raw one for JAX-RS, the decoded ones for servlet mapping.
        exchange.setRequestURI(prefix + rawPath(exchange), false);
        exchange.setRequestPath(prefix + exchange.getRequestPath());
        exchange.setRelativePath(prefix + exchange.getRelativePath());
    }

    private static boolean isOurs(int port) {
        return port == ENVD_PORT || port == INTERPRETER_PORT;
    }

    /** Whoever was let in is there until the exchange is over, or its connection was cut. */
    private static void attend(HttpServerExchange exchange, LiveSandbox sandbox) {
        Presence.Guest guest =
                sandbox.presence()
                        .enter(() -> exchange.isComplete() || !exchange.getConnection().isOpen());
        exchange.addExchangeCompleteListener(
                (x, next) -> {
                    guest.leave();
                    next.proceed();
                });
    }

    /** Every port but envd's, which has a token of its own. */
    private boolean isRefusedTraffic(HttpServerExchange exchange, LiveSandbox sandbox) {
        return !sandbox.hasPublicTraffic()
                && !tokens.isTraffic(
                        sandbox.id(),
                        exchange.getRequestHeaders().getFirst(InwardHeaders.TRAFFIC_TOKEN));
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
            sandboxes = CDI.current().select(LiveSandboxes.class).get();
            return true;
        } catch (IllegalStateException notStarted) {
            LOG.debug("asked for a sandbox before the deployment has started", notStarted);
            return false;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static boolean isInternalOperation(HttpServerExchange exchange) {
        String[] segments = canonical(exchange).split("/", 3);
        return segments.length > 1
                && INTERNAL_OPERATIONS.contains(segments[1].toLowerCase(Locale.ROOT));
    }

    private static boolean namesInternalPrefix(HttpServerExchange exchange) {
        String path = canonical(exchange);
        return path.equals("/-") || path.startsWith("/-/");
    }

    private static String canonical(HttpServerExchange exchange) {
        return CanonicalPathUtils.canonicalize(exchange.getRelativePath());
    }

    /** The path as it came; a request line may also hold a whole address. */
    static String rawPath(HttpServerExchange exchange) {
        String uri = exchange.getRequestURI();
        if (!exchange.isHostIncludedInRequestURI()) {
            return uri;
        }
        int path = uri.indexOf('/', authorityStart(uri));
        return path < 0 ? "/" : uri.substring(path);
    }

    /** The authority of the address in the request line wins over the Host header (RFC 9112). */
    private static String authority(HttpServerExchange exchange) {
        String uri = exchange.getRequestURI();
        if (!exchange.isHostIncludedInRequestURI()) {
            return exchange.getRequestHeaders().getFirst(Headers.HOST);
        }
        int start = authorityStart(uri);
        int end = uri.indexOf('/', start);
        return uri.substring(start, end < 0 ? uri.length() : end);
    }

    private static int authorityStart(String uri) {
        int scheme = uri.indexOf("://");
        return scheme < 0 ? 0 : scheme + 3;
    }

    private static List<String> values(HttpServerExchange exchange, HttpString name) {
        HeaderValues values = exchange.getRequestHeaders().get(name);
        return values == null ? List.of() : List.copyOf(values);
    }
}
