package dev.holdfast.envd;

import jakarta.json.JsonObject;

/** A refusal that goes to the client as it is. */
final class ConnectError extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ConnectCode code;

    ConnectError(ConnectCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    static ConnectError invalid(String message) {
        return new ConnectError(ConnectCode.INVALID_ARGUMENT, message);
    }

    /** The wording by which the SDKs recognise a sandbox that ended under a call. */
    static ConnectError sandboxEnded() {
        return new ConnectError(
                ConnectCode.UNAVAILABLE, "the sandbox was killed or reached its end of life");
    }

    /** For a client that lets too much of a stream wait. */
    static ConnectError readerTooSlow() {
        return new ConnectError(
                ConnectCode.RESOURCE_EXHAUSTED,
                "reader_too_slow: more waits for this client than is kept; the stream is over, and"
                        + " what it told of goes on");
    }

    ConnectCode code() {
        return code;
    }

    JsonObject json() {
        return Answers.BUILDERS
                .createObjectBuilder()
                .add("code", code.word())
                .add("message", String.valueOf(getMessage()))
                .build();
    }
}
