package dev.holdfast.event;

import dev.holdfast.database.AfterCommit;
import dev.holdfast.problem.Problem;
import dev.holdfast.telemetry.Step;
import dev.holdfast.telemetry.Traces;
import dev.holdfast.telemetry.Trail;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;

/** Hands work over to workers. */
@ApplicationScoped
public class Broker {

    private static final Logger LOG = Logger.getLogger(Broker.class);

    @Inject Reach reach;
    @Inject Traces traces;

    @Inject
    @JMSConnectionFactory("java:/JmsXA")
    JMSContext jms;

    /** For what is sent outside a transaction, where no context can be injected. */
    @Resource(lookup = "java:/JmsXA")
    ConnectionFactory factory;

    @Resource(lookup = "java:/jms/queue/holdfast.capture")
    Queue captures;

    @Resource(lookup = "java:/jms/queue/holdfast.runtime")
    Queue requests;

    @Resource ManagedExecutorService executor;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    /**
     * In the caller's transaction: it is neither lost nor sent for nothing.
     *
     * @throws Problem {@code broker_unavailable}; then nothing of the transaction is done
     */
    public void send(Handout handout) {
        if (!reach.isToBeTried()) {
            throw Problem.brokerUnavailable(null);
        }
        try {
            send(handout, jms);
            reach.succeeded();
        } catch (JMSRuntimeException e) {
            if (transaction.getTransactionStatus() != Status.STATUS_ACTIVE) {
                throw e; // it says nothing of the broker
            }
            reach.failed(e);
            throw Problem.brokerUnavailable(e);
        }
    }

    /**
     * Once the caller's transaction has committed, which the broker cannot keep from it. It may be
     * lost: for what a worker finds by itself a little later.
     */
    public void sendAfter(Handout handout) {
        if (transaction.getResource(this) instanceof Later later) {
            later.handouts().add(handout);
            return;
        }
        Later later = new Later(new ArrayList<>(List.of(handout)));
        transaction.putResource(this, later);
        transaction.registerInterposedSynchronization(
                new AfterCommit(() -> sendSoon(later.handouts())));
    }

    /** What a transaction sends when it is over. */
    private record Later(List<Handout> handouts) {}

    private void sendSoon(List<Handout> handouts) {
        try {
            executor.execute(Trail.here().around(() -> sendNow(handouts)));
        } catch (RejectedExecutionException full) {
            LOG.debugf("%s is not sent: %s", handouts, full.getMessage());
        }
    }

    private void sendNow(List<Handout> handouts) {
        if (!reach.isToBeTried()) {
            return;
        }
        try (JMSContext own = factory.createContext()) {
            handouts.forEach(each -> send(each, own));
            reach.succeeded();
        } catch (JMSRuntimeException e) {
            reach.failed(e);
        }
    }

    private void send(Handout handout, JMSContext by) {
        try (Step step = traces.send(handout.line().queue())) {
            Queue queue =
                    switch (handout.line()) {
                        case CAPTURE -> captures;
                        case RUNTIME -> requests;
                    };
            handout.sendBy(by, queue, step.trail());
        }
    }
}
