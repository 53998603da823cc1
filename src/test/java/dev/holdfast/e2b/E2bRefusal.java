package dev.holdfast.e2b;

/**
 * The server said no: another status than the one a call means success by, or an error at a
 * stream's end.
 */
public final class E2bRefusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String body;

    E2bRefusal(int status, String body) {
        super(status + ": " + body);
        this.status = status;
        this.body = body;
    }

    public int status() {
        return status;
    }

    /** What it said, in the dialect of what was asked. */
    public String body() {
        return body;
    }
}
