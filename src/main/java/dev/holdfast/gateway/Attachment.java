package dev.holdfast.gateway;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;

/**
 * How bytes that were written in a sandbox are handed out: what is in them must not run as a page
 * of the host that does, nor a name break out of its header (RFC 6266).
 */
public final class Attachment {

    /** What stands for itself in a header, besides letters and digits. */
    private static final String PLAIN = "!#$&+-.^_`|~";

    private Attachment() {}

    /**
     * @param path whose last name people are shown
     */
    public static Response.ResponseBuilder of(Response.ResponseBuilder answer, String path) {
        return answer.header(HttpHeaders.CONTENT_DISPOSITION, disposition(path))
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    static String disposition(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        StringBuilder header = new StringBuilder("attachment; filename*=UTF-8''");
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (each & 0xff);
            boolean plain = letter < 128 && Character.isLetterOrDigit(letter);
            if (plain || PLAIN.indexOf(letter) >= 0) {
                header.append(letter);
            } else {
                header.append(String.format("%%%02X", (int) letter));
            }
        }
        return header.toString();
    }
}
