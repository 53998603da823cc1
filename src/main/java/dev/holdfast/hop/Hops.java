package dev.holdfast.hop;

import dev.holdfast.database.Secrets;
import dev.holdfast.worker.WorkerConfig;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.logging.Logger;

/** Seals what this node passes on, and opens what it is passed. */
@ApplicationScoped
public class Hops {

    /** What became of a request's header. */
    public enum Arrival {
        /** From a client: there is no header. */
        OUTSIDE,
        /** From a node of this installation, to be answered here. */
        HOP,
        /** The header is not what a node of this installation makes for this node. */
        FORGED
    }

    public static final HttpString HEADER = new HttpString("Holdfast-Hop");

    /** What an answer's header says of a hop that was not taken. */
    public static final String REFUSED = "refused";

    /** What an answer's header says when the sandbox runs on another node. */
    public static final String ELSEWHERE = "elsewhere";

    /** How far two nodes' clocks may be apart. */
    static final Duration WINDOW = Duration.ofSeconds(30);

    private static final Logger LOG = Logger.getLogger(Hops.class);
    private static final AttachmentKey<Boolean> HOPPED = AttachmentKey.create(Boolean.class);
    private static final int LONGEST = 256;
    private static final String ALGORITHM = "HmacSHA256";

    private final Clock clock;
    private final Secrets secrets;
    private final String node;

    /** Kept, because it is needed on threads that must not wait. */
    private volatile SecretKeySpec key;

    @Inject
    public Hops(Secrets secrets, WorkerConfig here, Clock clock) {
        this(secrets, here.id(), clock);
    }

    Hops(Secrets secrets, String node, Clock clock) {
        this.secrets = secrets;
        this.node = node;
        this.clock = clock;
    }

    /** For the container, which makes a stand-in of this class. */
    protected Hops() {
        this(null, (String) null, null);
    }

    /** The header's value for a request that goes on to a worker as it is. */
    public String seal(HttpServerExchange exchange, String worker) {
        Hop hop =
                new Hop(
                        node,
                        clock.instant(),
                        exchange.getSourceAddress().getAddress(),
                        // What a client of HTTP/2 calls it is the client's own word.
                        "https".equals(exchange.getRequestScheme()) ? "https" : "http");
        String method = exchange.getRequestMethod().toString();
        return hop.text() + ";" + mac(hop.text(), worker, method, Target.of(exchange));
    }

    /**
     * Takes the header out of the request, and gives the request the client's address and scheme if
     * the header is good.
     */
    public Arrival open(HttpServerExchange exchange) {
        HeaderValues values = exchange.getRequestHeaders().get(HEADER);
        if (values == null) {
            return Arrival.OUTSIDE;
        }
        String value = values.size() == 1 ? values.getFirst() : "";
        exchange.getRequestHeaders().remove(HEADER);
        String method = exchange.getRequestMethod().toString();
        Optional<Hop> hop = opened(value, method, Target.of(exchange));
        if (hop.isEmpty()) {
            return Arrival.FORGED;
        }
        exchange.setSourceAddress(new InetSocketAddress(hop.get().client(), 0));
        exchange.setRequestScheme(hop.get().scheme());
        exchange.putAttachment(HOPPED, true);
        return Arrival.HOP;
    }

    /** Whether another node has passed the request on to this one, which passes it on no more. */
    public static boolean isHop(HttpServerExchange exchange) {
        return exchange.getAttachment(HOPPED) != null;
    }

    /** What the header says, if a node made it for this node and this request a moment ago. */
    Optional<Hop> opened(String value, String method, String target) {
        int end = value.lastIndexOf(';');
        if (value.length() > LONGEST || end < 0) {
            return Optional.empty();
        }
        String said = value.substring(0, end);
        return isSealed(said, value.substring(end + 1), method, target)
                ? Hop.read(said).filter(this::isOfNow)
                : Optional.empty();
    }

    /** Before it is read: nobody else's words are worth the work. */
    private boolean isSealed(String said, String presented, String method, String target) {
        return MessageDigest.isEqual(
                mac(said, node, method, target).getBytes(StandardCharsets.US_ASCII),
                presented.getBytes(StandardCharsets.UTF_8));
    }

    private boolean isOfNow(Hop hop) {
        Instant now = clock.instant();
        boolean fresh = hop.at().isAfter(now.minus(WINDOW)) && hop.at().isBefore(now.plus(WINDOW));
        if (!fresh) {
            LOG.warnf(
                    "A request that node %s passed on at %s is refused: the clocks of the two nodes"
                            + " are more than %s apart",
                    hop.node(), hop.at(), WINDOW);
        }
        return fresh;
    }

    /** The lines have no line ends in them: a request line that had one would not have come. */
    private String mac(String said, String worker, String method, String target) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key());
            String sealed = String.join("\n", said, worker, method, target);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(sealed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** One of its own, so that no other use of the secret makes what passes for a seal. */
    private SecretKeySpec key() throws GeneralSecurityException {
        SecretKeySpec known = key;
        if (known == null) {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secrets.tokenSecret(), ALGORITHM));
            byte[] derived = mac.doFinal("hop:1".getBytes(StandardCharsets.US_ASCII));
            known = new SecretKeySpec(derived, ALGORITHM);
            key = known;
        }
        return known;
    }
}
