package dev.holdfast.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the console as it is sent.
 *
 * @param packed the same by gzip; empty where that is no shorter
 * @param lasting whether its address holds its version, so that it never changes
 */
record Asset(byte[] content, byte[] packed, String type, String tag, boolean lasting) {

    private static final int TAG_BYTES = 15;
    private static final String FOR_GOOD = "public, max-age=31536000, immutable";
    private static final String ASK_FIRST = "no-cache";

    static Asset of(byte[] content, String type, boolean lasting) {
        byte[] packed = packed(content);
        return new Asset(
                content,
                packed.length < content.length ? packed : new byte[0],
                type,
                tag(content),
                lasting);
    }

    void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean gzip = packed.length > 0 && takesGzip(request);
        // Two forms of one content are two entities.
        String entity = '"' + tag + (gzip ? "-gz" : "") + '"';
        response.setHeader("ETag", entity);
        response.setHeader("Cache-Control", lasting ? FOR_GOOD : ASK_FIRST);
        response.setHeader("Vary", "Accept-Encoding");
        String seen = request.getHeader("If-None-Match");
        if (seen != null && seen.contains(entity)) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        if (gzip) {
            response.setHeader("Content-Encoding", "gzip");
        }
        byte[] sent = gzip ? packed : content;
        response.setContentType(type);
        response.setContentLength(sent.length);
        response.getOutputStream().write(sent);
    }

    private static boolean takesGzip(HttpServletRequest request) {
        String accepted = request.getHeader("Accept-Encoding");
        return accepted != null && accepted.contains("gzip") && !accepted.contains("gzip;q=0");
    }

    private static byte[] packed(byte[] content) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String tag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return Base64.getUrlEncoder().encodeToString(digest).substring(0, TAG_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
