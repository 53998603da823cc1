package dev.holdfast.worker;

import dev.holdfast.agent.AgentException;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.storage.BucketException;
import dev.holdfast.storage.ManifestException;
import dev.holdfast.storage.PartException;
import dev.holdfast.telemetry.Meters;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Counts and times how machines come to be: fresh ones, and those that are restored. */
@ApplicationScoped
class StartMeter {

    private static final Logger LOG = Logger.getLogger(StartMeter.class);
    private static final int DEEPEST_CAUSE = 16;

    /** What a machine is made from. */
    private enum Origin {
        TEMPLATE,
        SNAPSHOT,
        PAUSE;

        static Origin of(Sandbox sandbox) {
            if (sandbox.state() == SandboxState.RESUMING) {
                return PAUSE;
            }
            return sandbox.image().or(sandbox::snapshot).isPresent() ? SNAPSHOT : TEMPLATE;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Inject Meters meters;

    Begun begin(Sandbox sandbox) {
        return new Begun(sandbox, Origin.of(sandbox), System.nanoTime());
    }

    /** A start that was begun and is told once how it ended. */
    final class Begun {

        private final Sandbox sandbox;
        private final Origin origin;
        private final long since;

        private Begun(Sandbox sandbox, Origin origin, long since) {
            this.sandbox = sandbox;
            this.origin = origin;
            this.since = since;
        }

        void succeeded() {
            Duration taken = Duration.ofNanos(System.nanoTime() - since);
            count("started", "none");
            if (origin == Origin.TEMPLATE) {
                meters.time("holdfast.sandbox.start.time", taken);
            } else {
                meters.time("holdfast.restore.time", taken, "origin", origin.word());
            }
            LOG.infof(
                    "Sandbox %s started from its %s in %d ms",
                    sandbox.id(), origin.word(), taken.toMillis());
        }

        void failed(Throwable failure) {
            count("failed", reason(failure));
        }

        private void count(String outcome, String reason) {
            if (origin == Origin.TEMPLATE) {
                meters.count("holdfast.sandbox.starts", "outcome", outcome, "reason", reason);
            } else {
                meters.count(
                        "holdfast.restore.outcomes",
                        "origin",
                        origin.word(),
                        "outcome",
                        outcome,
                        "reason",
                        reason);
            }
        }
    }

    /** One of few words; the log has the rest. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof MachineFailure machine) {
                return "machine_" + machine.reason().name().toLowerCase(Locale.ROOT);
            }
            if (cause instanceof PartException || cause instanceof ManifestException) {
                return "parts";
            }
            if (cause instanceof BucketException bucket) {
                return bucket.reason().word();
            }
            if (cause instanceof AgentException || cause instanceof TimeoutException) {
                return "agent";
            }
            cause = cause.getCause();
        }
        return "other";
    }
}
