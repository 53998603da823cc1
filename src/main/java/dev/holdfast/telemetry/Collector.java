package dev.holdfast.telemetry;

import java.net.URI;

/**
 * Where spans are sent: the base address of whatever takes OTLP over HTTP, such as {@code
 * http://collector:4318}.
 */
public record Collector(URI base) {

    private static final String TRACES = "/v1/traces";

    public Collector {
        if (base.getHost() == null
                || !("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
            throw new IllegalArgumentException(
                    "HOLDFAST_TELEMETRY_ENDPOINT is the http or https address of a collector, such"
                            + " as http://collector:4318: "
                            + base);
        }
    }

    /** As the setting says it. */
    public static Collector of(String text) {
        return new Collector(URI.create(text.strip()));
    }

    /** Where spans go; whoever gave that whole meant the same. */
    String traces() {
        String text = base.toString().replaceAll("/+$", "");
        return text.endsWith(TRACES) ? text : text + TRACES;
    }
}
