package dev.holdfast.storage;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;

/**
 * The settings of a store in a bucket: keys {@code holdfast.storage.s3.*}. Who names a bucket has
 * the store there and not in a directory. The key to it comes from where every program of that
 * vendor has it.
 *
 * @param endpoint where the bucket's server is; null: where Amazon has that region
 * @param pathStyle whether the bucket stands in the path and not in the host name
 * @param prefix what the names of all objects begin with; empty, or with a slash at its end
 * @param attempts how often a request is made before it has failed
 * @param patience how long each attempt may take; a large object's parts are requests of their own
 */
public record S3Config(
        String bucket,
        URI endpoint,
        String region,
        boolean pathStyle,
        String prefix,
        int attempts,
        Duration patience) {

    private static final String KEYS = "holdfast.storage.s3.";
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");
    private static final Pattern PREFIX =
            Pattern.compile("(?=.{0,200}$)([A-Za-z0-9_-][A-Za-z0-9._-]*/)*");
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    public S3Config {
        Objects.requireNonNull(patience, "patience");
        expect(BUCKET.matcher(bucket).matches(), "bucket", "is no name of a bucket");
        expect(REGION.matcher(region).matches(), "region", "is no region");
        expect(
                endpoint == null || isAddress(endpoint),
                "endpoint",
                "is no address such as https://s3.example.com");
        expect(
                PREFIX.matcher(prefix).matches(),
                "prefix",
                "is not made of names with slashes between");
        expect(attempts >= 1 && attempts <= 10, "attempts", "is not within 1 to 10");
        expect(
                patience.compareTo(SHORTEST) >= 0 && patience.compareTo(LONGEST) <= 0,
                "patience",
                "is not within PT0.1S to PT10M");
    }

    /** Empty: no bucket is named. */
    public static Optional<S3Config> of(Config config) {
        return config.getOptionalValue(KEYS + "bucket", String.class)
                .map(bucket -> of(bucket, config));
    }

    private static S3Config of(String bucket, Config config) {
        URI endpoint =
                config.getOptionalValue(KEYS + "endpoint", String.class)
                        .map(S3Config::address)
                        .orElse(null);
        String prefix = setting(config, "prefix", String.class, "");
        return new S3Config(
                bucket,
                endpoint,
                setting(config, "region", String.class, "us-east-1"),
                setting(config, "path-style", Boolean.class, endpoint != null),
                prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/",
                setting(config, "attempts", Integer.class, 4),
                setting(config, "patience", Duration.class, Duration.ofMinutes(1)));
    }

    private static URI address(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException(KEYS + "endpoint is no address", malformed);
        }
    }

    private static boolean isAddress(URI endpoint) {
        return ("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme()))
                && endpoint.getHost() != null
                && endpoint.getRawUserInfo() == null
                && endpoint.getRawQuery() == null
                && endpoint.getRawFragment() == null
                && (endpoint.getRawPath().isEmpty() || endpoint.getRawPath().equals("/"));
    }

    private static <T> T setting(Config config, String name, Class<T> type, T otherwise) {
        return config.getOptionalValue(KEYS + name, type).orElse(otherwise);
    }

    private static void expect(boolean holds, String name, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(KEYS + name + " " + otherwise);
        }
    }
}
