package dev.holdfast.gateway;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import java.util.Optional;

/** What the gateway tells the rooms behind it. */
public final class Gateway {

    /** Where the envd application is mounted; reached only by a request that names a sandbox. */
    public static final String ENVD_PREFIX = "/-/envd";

    /** The same of the code interpreter. */
    public static final String INTERPRETER_PREFIX = "/-/interpreter";

    static final AttachmentKey<Visit> VISIT = AttachmentKey.create(Visit.class);

    private Gateway() {}

    /** The sandbox this request was routed to, if it was routed to one. */
    public static Optional<Visit> visitOf(HttpServerExchange exchange) {
        return Optional.ofNullable(exchange.getAttachment(VISIT));
    }

    /** Lets the body of an upload in; until then it seems to be empty. */
    public static void admit(HttpServerExchange exchange) {
        Uploads.open(exchange);
    }

    /** No more of the body is wanted; what is still sent is not waited for. */
    public static void dismiss(HttpServerExchange exchange) {
        Uploads.shut(exchange);
    }
}
