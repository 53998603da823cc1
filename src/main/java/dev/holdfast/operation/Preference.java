package dev.holdfast.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a caller wants long work answered: the header {@code Prefer} of RFC 7240. What is not
 * understood in it is ignored, as the RFC demands.
 *
 * @param async the caller takes 202 and the address of the operation
 * @param waiting how long it waits for more than that
 */
public record Preference(boolean async, Optional<Duration> waiting) {

    public static final String HEADER = "Prefer";
    public static final String APPLIED = "Preference-Applied";

    private static final String ASYNC = "respond-async";
    private static final Pattern WAIT = Pattern.compile("wait\\s*=\\s*\"?(\\d{1,9})\"?");

    /** Reads the header, which may come several times; null when it did not come. */
    public static Preference of(List<String> headers) {
        boolean async = false;
        Optional<Duration> waiting = Optional.empty();
        for (String header : headers == null ? List.<String>of() : headers) {
            for (String token : header.split(",")) {
                String word = token.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
                var found = WAIT.matcher(word);
                async |= word.equals(ASYNC);
                if (waiting.isEmpty() && found.matches()) {
                    waiting = Optional.of(Duration.ofSeconds(Long.parseLong(found.group(1))));
                }
            }
        }
        return new Preference(async, waiting);
    }

    /** How long the answer may be put off, given the longest that the server does. */
    public Duration patience(Duration most) {
        Duration asked = waiting.orElse(async ? Duration.ZERO : most);
        return asked.compareTo(most) < 0 ? asked : most;
    }

    /** What of it was honoured; empty when nothing was asked. */
    public Optional<String> applied(boolean answeredEarly) {
        List<String> honoured = new ArrayList<>();
        if (async && answeredEarly) {
            honoured.add(ASYNC);
        }
        waiting.ifPresent(asked -> honoured.add("wait=" + asked.toSeconds()));
        return honoured.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", honoured));
    }
}
