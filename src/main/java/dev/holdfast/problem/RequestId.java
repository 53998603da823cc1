package dev.holdfast.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What ties an answer to a log line. The caller's own is kept if it is harmless in a log and a
 * header.
 */
public record RequestId(String value) {
    /** The header that it comes and goes by. */
    public static final String HEADER = "X-Request-Id";

    private static final String ATTRIBUTE = RequestId.class.getName();
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public RequestId {
        if (value == null || !SANE.matcher(value).matches()) {
            throw new IllegalArgumentException("A request id is 1 to 64 of A-Z a-z 0-9 . _ -");
        }
    }

    /** The asked-for id if it is a sane one, else a fresh one. */
    public static RequestId from(String asked) {
        return asked != null && SANE.matcher(asked).matches()
                ? new RequestId(asked)
                : new RequestId(UUID.randomUUID().toString());
    }

    /** The id of this request; the first asker fixes it. */
    public static RequestId of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof RequestId fixed) {
            return fixed;
        }
        var id = from(request.getHeader(HEADER));
        request.setAttribute(ATTRIBUTE, id);
        return id;
    }

    @Override
    public String toString() {
        return value;
    }
}
