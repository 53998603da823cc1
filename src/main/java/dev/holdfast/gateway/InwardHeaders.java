package dev.holdfast.gateway;

import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Takes out of a request what a program in a sandbox must not learn about its caller. */
final class InwardHeaders {

    static final HttpString ACCESS_TOKEN = new HttpString("X-Access-Token");
    static final HttpString TRAFFIC_TOKEN = new HttpString("E2b-Traffic-Access-Token");

    private static final List<HttpString> CREDENTIALS =
            List.of(new HttpString("X-API-Key"), ACCESS_TOKEN, TRAFFIC_TOKEN);

    private static final Pattern OUR_KEY = Pattern.compile("e2b_[0-9a-f]{40}");

    private InwardHeaders() {}

    static void strip(HeaderMap headers, Router.By by) {
        CREDENTIALS.forEach(headers::remove);
        if (carriesOurKey(headers.get(Headers.AUTHORIZATION))) {
            headers.remove(Headers.AUTHORIZATION);
        }
        if (by == Router.By.HEADER) {
            headers.remove(Headers.COOKIE);
        } else {
            keepForeignCookies(headers);
        }
    }

    private static boolean carriesOurKey(HeaderValues values) {
        return values != null
                && values.stream()
                        .anyMatch(
                                v -> OUR_KEY.matcher(v).find() || OUR_KEY.matcher(basic(v)).find());
    }

    private static String basic(String value) {
        if (!value.regionMatches(true, 0, "Basic ", 0, 6)) {
            return "";
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(value.substring(6).trim());
            return new String(decoded, StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    private static void keepForeignCookies(HeaderMap headers) {
        HeaderValues cookies = headers.get(Headers.COOKIE);
        if (cookies == null) {
            return;
        }
        String kept =
                cookies.stream()
                        .flatMap(line -> Arrays.stream(line.split(";")))
                        .map(String::trim)
                        .filter(cookie -> !cookie.isEmpty() && !isOurs(cookie))
                        .collect(Collectors.joining("; "));
        headers.remove(Headers.COOKIE);
        if (!kept.isEmpty()) {
            headers.put(Headers.COOKIE, kept);
        }
    }

    /** Our cookies begin with our name, behind the prefixes that browsers give a meaning to. */
    private static boolean isOurs(String cookie) {
        String name = cookie.toLowerCase(Locale.ROOT);
        return name.startsWith("holdfast")
                || name.startsWith("__host-holdfast")
                || name.startsWith("__secure-holdfast");
    }
}
