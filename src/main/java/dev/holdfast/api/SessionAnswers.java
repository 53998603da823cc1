package dev.holdfast.api;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.sandbox.Metric;
import dev.holdfast.sandbox.Metrics;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.workbench.Sessions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is answered of a session, the same wherever it is looked at. */
@ApplicationScoped
public class SessionAnswers {

    /** Older figures say nothing of now. */
    private static final Duration FRESH = Duration.ofSeconds(30);

    @Inject Metrics metrics;
    @Inject DatabaseTime time;

    SessionView view(Sessions.Opened opened) {
        Instant now = time.now();
        return SessionView.of(opened, usage(opened.sandbox().id(), now), now);
    }

    /** In a list, without figures that would cost a look each. */
    SessionView row(Sessions.Opened opened) {
        return SessionView.of(opened, Optional.empty(), time.now());
    }

    private Optional<Metric> usage(SandboxId id, Instant now) {
        List<Metric> fresh = metrics.of(id, Optional.of(now.minus(FRESH)), Optional.empty());
        return fresh.isEmpty() ? Optional.empty() : Optional.of(fresh.get(fresh.size() - 1));
    }
}
