package dev.holdfast.envd;

import io.undertow.util.HeaderMap;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a caller asks of a stream besides its message.
 *
 * @param deadline when it ends at the latest; absent means never
 * @param keepalive how long it may be silent
 */
record CallTerms(Optional<Duration> deadline, Duration keepalive) {

    private static final Pattern MILLISECONDS = Pattern.compile("\\d{1,10}");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,6}");
    private static final Duration USUAL = Duration.ofSeconds(90);

    /** Clients take a connection for dead after 300 s of silence. */
    private static final Duration LONGEST = Duration.ofSeconds(240);

    static CallTerms of(HeaderMap headers) {
        return new CallTerms(deadline(headers), keepalive(headers));
    }

    private static Optional<Duration> deadline(HeaderMap headers) {
        String value = headers.getFirst("Connect-Timeout-Ms");
        if (value == null) {
            return Optional.empty();
        }
        if (!MILLISECONDS.matcher(value).matches()) {
            throw ConnectError.invalid("header Connect-Timeout-Ms is malformed");
        }
        return Optional.of(Duration.ofMillis(Long.parseLong(value))).filter(d -> !d.isZero());
    }

    private static Duration keepalive(HeaderMap headers) {
        String value = headers.getFirst("Keepalive-Ping-Interval");
        if (value == null || !SECONDS.matcher(value).matches() || Integer.parseInt(value) == 0) {
            return USUAL;
        }
        Duration asked = Duration.ofSeconds(Integer.parseInt(value));
        return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    }
}
