package dev.holdfast.envd;

import java.util.Locale;

/** The error codes of Connect RPC, each with the HTTP status that unary answers carry. */
enum ConnectCode {
    CANCELED(499),
    UNKNOWN(500),
    INVALID_ARGUMENT(400),
    DEADLINE_EXCEEDED(504),
    NOT_FOUND(404),
    ALREADY_EXISTS(409),
    PERMISSION_DENIED(403),
    RESOURCE_EXHAUSTED(429),
    FAILED_PRECONDITION(400),
    ABORTED(409),
    OUT_OF_RANGE(400),
    UNIMPLEMENTED(501),
    INTERNAL(500),
    UNAVAILABLE(503),
    DATA_LOSS(500),
    UNAUTHENTICATED(401);

    private final int status;

    ConnectCode(int status) {
        this.status = status;
    }

    int status() {
        return status;
    }

    /** The code as it stands in JSON; a number there would make clients guess from the status. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
