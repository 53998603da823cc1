package dev.holdfast.envd;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a part says of itself: the name of its form field and of its file, which here is a path.
 *
 * @param name empty when the part has none
 * @param path null when the part has none; see {@link #filename()}
 */
record PartHeader(String name, String path) {

    Optional<String> filename() {
        return Optional.ofNullable(path);
    }

    static PartHeader parse(String headers) {
        for (String line : headers.split("\r\n")) {
            int colon = line.indexOf(':');
            if (colon > 0
                    && line.substring(0, colon).trim().equalsIgnoreCase("content-disposition")) {
                return of(parameters(line.substring(colon + 1)));
            }
        }
        return new PartHeader("", null);
    }

    private static PartHeader of(Map<String, String> parameters) {
        String extended = parameters.get("filename*");
        return new PartHeader(
                parameters.getOrDefault("name", ""),
                extended == null ? parameters.get("filename") : extended(extended));
    }

    /** {@code UTF-8''percent%20encoded} of RFC 5987. */
    private static String extended(String value) {
        int quotes = value.indexOf("''");
        if (quotes < 0 || !value.substring(0, quotes).equalsIgnoreCase("utf-8")) {
            throw new RestError(400, "the file name of a part is malformed");
        }
        try {
            return URLDecoder.decode(
                    value.substring(quotes + 2).replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new RestError(400, "the file name of a part is malformed");
        }
    }

    /** The parameters after the first semicolon; quoted texts may hold semicolons. */
    static Map<String, String> parameters(String header) {
        Map<String, String> found = new HashMap<>();
        int at = header.indexOf(';');
        while (at >= 0 && at < header.length()) {
            int equals = header.indexOf('=', at);
            if (equals < 0) {
                break;
            }
            String key = header.substring(at + 1, equals).trim().toLowerCase(Locale.ROOT);
            StringBuilder value = new StringBuilder();
            at = value(header, equals + 1, value);
            found.putIfAbsent(key, value.toString());
        }
        return found;
    }

    /** Reads one value and returns where the semicolon after it stands. */
    private static int value(String header, int from, StringBuilder value) {
        int at = from;
        while (at < header.length() && header.charAt(at) == ' ') {
            at++;
        }
        if (at < header.length() && header.charAt(at) == '"') {
            at++;
            while (at < header.length() && header.charAt(at) != '"') {
                // Some clients write a backslash as itself, so it only escapes these two.
                if (header.charAt(at) == '\\'
                        && at + 1 < header.length()
                        && (header.charAt(at + 1) == '"' || header.charAt(at + 1) == '\\')) {
                    at++;
                }
                value.append(header.charAt(at++));
            }
            return header.indexOf(';', at);
        }
        int end = header.indexOf(';', at);
        value.append(header.substring(at, end < 0 ? header.length() : end).trim());
        return end;
    }
}
