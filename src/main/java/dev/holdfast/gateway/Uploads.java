package dev.holdfast.gateway;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * Bodies of the control plane that are too large to be collected. Their end is shown at once until
 * whoever is responsible has let them in, and from when they have had enough: so the container,
 * which reads every body to its end, holds no thread for one that was refused.
 */
final class Uploads implements HttpHandler {

    /** Archives of templates, and files of a session. */
    private static final Pattern POSTED =
            Pattern.compile("/api/v1/projects/[^/]+/(?:templates|sessions/[^/]+/files)/?");

    /** Files of volumes, in both dialects. */
    private static final Pattern PUT =
            Pattern.compile(
                    "/api/v1/projects/[^/]+/volumes/[^/]+/files/content/?"
                            + "|/volumecontent/[^/]+/file/?");

    private static final Set<String> TYPES =
            Set.of(
                    "application/x-tar",
                    "application/gzip",
                    "application/x-gzip",
                    "application/zstd",
                    "application/octet-stream");

    private static final AttachmentKey<Boolean> OPEN = AttachmentKey.create(Boolean.class);

    /** Whether the connection would bear another request. */
    private static final AttachmentKey<Boolean> LASTS = AttachmentKey.create(Boolean.class);

    private final HttpHandler next;

    Uploads(HttpHandler next) {
        this.next = next;
    }

    static boolean isOne(HttpServerExchange exchange) {
        var place = exchange.getRequestMethod().equals(Methods.POST) ? POSTED : PUT;
        return (place == POSTED || exchange.getRequestMethod().equals(Methods.PUT))
                && place.matcher(exchange.getRelativePath()).matches()
                && TYPES.contains(type(exchange));
    }

    private static String type(HttpServerExchange exchange) {
        HeaderValues values = exchange.getRequestHeaders().get(Headers.CONTENT_TYPE);
        String type = values == null ? "" : values.getFirst();
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        exchange.putAttachment(LASTS, exchange.isPersistent());
        shut(exchange);
        exchange.addRequestWrapper((factory, of) -> new Gate(factory.create(), of));
        next.handleRequest(exchange);
    }

    static void open(HttpServerExchange exchange) {
        exchange.putAttachment(OPEN, true);
        exchange.setPersistent(exchange.getAttachment(LASTS));
    }

    /** The answer says that it is the last one: on this connection no request could be read. */
    static void shut(HttpServerExchange exchange) {
        exchange.removeAttachment(OPEN);
        exchange.setPersistent(false);
    }

    private static final class Gate extends AbstractStreamSourceConduit<StreamSourceConduit> {
        private final HttpServerExchange exchange;
        private boolean cut;

        Gate(StreamSourceConduit next, HttpServerExchange exchange) {
            super(next);
            this.exchange = exchange;
        }

        /** Lets the answer out and cuts off a client that goes on sending after it. */
        private boolean isShut() {
            if (exchange.getAttachment(OPEN) != null) {
                return false;
            }
            if (!cut) {
                cut = true;
                Resets.unlessItEnds(exchange);
            }
            return true;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return isShut() ? -1 : next.read(into);
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) throws IOException {
            return isShut() ? -1 : next.read(into, offset, length);
        }

        @Override
        public long transferTo(long position, long count, FileChannel target) throws IOException {
            return isShut() ? -1 : next.transferTo(position, count, target);
        }

        @Override
        public long transferTo(long count, ByteBuffer through, StreamSinkChannel target)
                throws IOException {
            return isShut() ? -1 : next.transferTo(count, through, target);
        }
    }
}
