package dev.holdfast.e2b;

import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The domain that clients are told: {@code holdfast.domain}, with the port of the HTTPS listener
 * where the setting has none. Without the setting nothing is told, and clients go by their own.
 */
final class Domain {

    private static final String HTTPS = ":443";

    private Domain() {}

    /** Null when none is configured; without a port where it is the usual one. */
    static String told() {
        Config config = ConfigProvider.getConfig();
        Optional<String> domain = config.getOptionalValue("holdfast.domain", String.class);
        int port = config.getOptionalValue("holdfast.https.port", Integer.class).orElse(8443);
        return told(domain.orElse(""), port);
    }

    static String told(String configured, int port) {
        String domain = configured.strip();
        if (domain.isEmpty()) {
            return null;
        }
        String whole = domain.contains(":") ? domain : domain + ":" + port;
        return whole.endsWith(HTTPS) ? whole.substring(0, whole.length() - HTTPS.length()) : whole;
    }
}
