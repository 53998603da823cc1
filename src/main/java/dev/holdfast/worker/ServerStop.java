package dev.holdfast.worker;

import dev.holdfast.fleet.ServerStates;
import dev.holdfast.fleet.ServerStates.Turn;
import dev.holdfast.fleet.Workers;
import dev.holdfast.fleet.Workers.Leave;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.Notification;
import org.jboss.logging.Logger;

/**
 * The stop of this node's server, which waits until what runs here is paused.
 *
 * <p>The server tells of its state by notifications of JMX, and it tells that it suspends, which is
 * how every stop begins, before it asks anything of the application: listeners still take messages
 * then, and requests are answered. Whoever is told is told by the thread that stops the server. So
 * a stop is held up by not returning, whoever asked for it and in which way: TERM, the management's
 * {@code shutdown}, {@code suspend} and {@code reload}. An activity of the server's own suspension
 * would be waited for only as long as whoever asks for the stop says, and that is not at all unless
 * they do.
 */
@ApplicationScoped
public class ServerStop {

    private static final Logger LOG = Logger.getLogger(ServerStop.class);

    @Inject WorkerConfig config;
    @Inject ServerStates states;
    @Inject Tenure tenure;
    @Inject Workers workers;

    private final CountDownLatch none = new CountDownLatch(0);
    private volatile CountDownLatch waiting = none;
    private volatile boolean asked;
    private volatile boolean left;

    /** Holds up each stop from now on, unless there is no time for that. */
    public void watch() {
        if (!config.drain().isZero()) {
            states.tell(Turn.DRAIN, this::hear);
        }
    }

    /** Holds up none any more. */
    public void forget() {
        waiting.countDown();
        if (!config.drain().isZero()) {
            states.forget(Turn.DRAIN);
        }
    }

    /** Whether the server is about to stop. */
    public boolean isAsked() {
        return asked;
    }

    /**
     * The worker takes no more.
     *
     * @return false when nothing here is its own: another server has its name, or others have given
     *     up what it ran
     */
    public boolean leave() {
        Leave answer = workers.leave(config.id(), tenure.incarnation());
        left |= answer == Leave.BEGUN;
        return answer != Leave.NOT_ITS_OWN;
    }

    /** Has the worker take more again if it left for a stop that is called off. */
    public void stay() {
        if (left) {
            workers.stay(config.id(), tenure.incarnation());
            left = false;
        }
    }

    /** Nothing is left to wait for. */
    public void letGo() {
        waiting.countDown();
    }

    void hear(Notification told) {
        if (ServerStates.isStop(told) && !asked) {
            holdUp();
        } else if (ServerStates.isBack(told)) {
            asked = false;
        }
    }

    /** Once in a stop: at the second of the two states no listener takes messages any more. */
    private void holdUp() {
        Duration most = config.drain();
        CountDownLatch paused = new CountDownLatch(1);
        waiting = paused;
        asked = true;
        LOG.infof(
                "The server is to stop. Worker %s pauses what it runs before, for which it has %s",
                config.id(), most);
        try {
            if (paused.await(most.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.infof("Worker %s runs nothing any more that can be paused", config.id());
            } else {
                LOG.warnf(
                        "Worker %s has not paused all that it runs: what is left ends",
                        config.id());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
