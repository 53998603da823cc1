package dev.holdfast.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the console's page may load and do. The import map is the only inline script, allowed by the
 * hash of what the page really holds.
 */
record ContentPolicy(String text) {

    static final String REPORTS = "/console/reports";

    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    /** {@code report-uri}, because every browser knows it and sends at once, also without TLS. */
    private static final String FORM =
            "default-src 'none'; script-src 'self' 'sha256-%s'; style-src 'self'; img-src 'self'"
                    + " data: blob:; font-src 'self'; connect-src 'self'; frame-src blob:;"
                    + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'; report-uri "
                    + REPORTS;

    static ContentPolicy of(byte[] page) {
        Matcher map = IMPORT_MAP.matcher(new String(page, StandardCharsets.UTF_8));
        if (!map.find()) {
            throw new IllegalStateException("The console's page has no import map");
        }
        return new ContentPolicy(FORM.formatted(sha256(map.group(1))));
    }

    private static String sha256(String script) {
        try {
            return Base64.getEncoder()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(script.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
