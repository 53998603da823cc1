package dev.holdfast.console;

import dev.holdfast.telemetry.Meters;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * What browsers tell of violations of the policy. Anybody can send such a thing, so all are
 * counted, few are logged, and none is believed or kept.
 */
@ApplicationScoped
public class Reports {

    private static final Logger LOG = Logger.getLogger(Reports.class);
    private static final int LONGEST = 8192;
    private static final int LOGGED = 1024;
    private static final int MOST = 10;
    private static final long PERIOD = Duration.ofMinutes(1).toNanos();

    @Inject Meters meters;

    private long since = System.nanoTime();
    private int logged;

    void take(InputStream body) throws IOException {
        byte[] read = body.readNBytes(LONGEST);
        meters.count("holdfast.console.reports");
        if (isToBeLogged(System.nanoTime())) {
            String text = new String(read, StandardCharsets.UTF_8).replaceAll("[\\p{Cntrl}]", " ");
            LOG.warnf(
                    "A browser reports that the console's page broke its policy: %s",
                    text.substring(0, Math.min(text.length(), LOGGED)));
        }
    }

    private synchronized boolean isToBeLogged(long now) {
        if (now - since >= PERIOD) {
            since = now;
            logged = 0;
        }
        return logged++ < MOST;
    }
}
