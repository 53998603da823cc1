package dev.holdfast.envd;

import jakarta.json.JsonObject;

/** A refusal of the plain HTTP calls, where the code is the status. */
final class RestError extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;

    RestError(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }

    JsonObject json() {
        return Answers.BUILDERS
                .createObjectBuilder()
                .add("code", status)
                .add("message", String.valueOf(getMessage()))
                .build();
    }
}
