package dev.holdfast.job;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.capture.Crowd;
import dev.holdfast.run.BuiltWar;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several timers of one job, as nodes that start at the same moment may make them. */
@ExtendWith(ArquillianExtension.class)
class RingsContainerIT {

    /** It always runs, and its own timer rings once a day. */
    private static final Job JOB = Job.VERIFY_AUDIT;

    @Inject Crowd crowd;
    @Inject Executions executions;
    @Inject Jobs jobs;

    @Deployment
    static WebArchive war() {
        return BuiltWar.with(RingsContainerIT.class, Crowd.class, Eventually.class);
    }

    /** Also when one of them is late, and the run of that moment is over by then. */
    @Test
    @Tag("R53")
    @Tag("F10")
    void startOneExecutionForEachMomentAtWhichTheyRing() throws Exception {
        int rings = Integer.parseInt(System.getenv("HOLDFAST_REPEAT")) < 10 ? 15 : 50;
        int before = started();
        Instant begin = Instant.now();
        for (int ring = 1; ring <= rings; ring++) {
            Instant next = begin.plusSeconds(ring);
            Callable<Boolean> timer = () -> rings(next);

            crowd.atOnce(List.of(timer, timer));
            assertThat(started() - before).as("at once, ring %d", ring).isEqualTo(ring);
            await("it is over", () -> executions.running(JOB).isEmpty());
            rings(next);
            assertThat(started() - before).as("late, ring %d", ring).isEqualTo(ring);
        }
    }

    private boolean rings(Instant next) {
        jobs.startIfDue(JOB, next);
        return true;
    }

    private int started() {
        return executions.list(JOB, Optional.empty(), 10_000).size();
    }
}
