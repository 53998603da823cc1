package dev.holdfast.envd;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How files are sent.
 *
 * @param path the one from the query; it wins over those in the parts
 * @param boundary present when the body is a form, absent when it is one file
 * @param metadata for every file of the body
 */
record UploadRequest(
        Optional<String> path,
        Optional<String> user,
        Optional<String> boundary,
        boolean gzip,
        Map<String, String> metadata) {

    static UploadRequest of(HeaderMap headers, String path, String username) {
        Optional<String> named = Optional.ofNullable(path).filter(p -> !p.isEmpty());
        Optional<String> boundary = boundary(headers.getFirst(Headers.CONTENT_TYPE));
        if (boundary.isEmpty() && named.isEmpty()) {
            throw new RestError(400, "query parameter 'path' is missing");
        }
        return new UploadRequest(
                named,
                Optional.ofNullable(username).filter(u -> !u.isEmpty()),
                boundary,
                isGzip(headers.getFirst(Headers.CONTENT_ENCODING)),
                FileMetadata.of(headers));
    }

    private static Optional<String> boundary(String header) {
        String type = header == null ? "" : header.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
        if (type.equals("application/octet-stream")) {
            return Optional.empty();
        }
        if (!type.equals("multipart/form-data")) {
            throw new RestError(
                    415, "files come as multipart/form-data or application/octet-stream");
        }
        Map<String, String> parameters = PartHeader.parameters(header);
        return Optional.of(parameters.getOrDefault("boundary", ""));
    }

    private static boolean isGzip(String encoding) {
        if (encoding == null
                || encoding.isBlank()
                || encoding.trim().equalsIgnoreCase("identity")) {
            return false;
        }
        if (encoding.trim().equalsIgnoreCase("gzip")) {
            return true;
        }
        throw new RestError(400, "only Content-Encoding gzip is supported");
    }
}
