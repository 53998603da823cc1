package dev.holdfast.sandbox;

import dev.holdfast.event.Broker;
import dev.holdfast.event.Handout;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.Map;

/** Hands requests to a sandbox's worker. */
@Stateless
public class RuntimeRequests {

    @Inject Broker broker;

    /**
     * In the transaction that changed the row.
     *
     * @throws dev.holdfast.problem.Problem {@code broker_unavailable}
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(RuntimeRequest request) {
        broker.send(handout(request));
    }

    /**
     * Once that transaction has committed, for what must not come to nothing because the broker is
     * away: it may be lost, and its worker finds by itself what has ended and what it is to start.
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void sendAfter(RuntimeRequest request) {
        broker.sendAfter(handout(request));
    }

    private static Handout handout(RuntimeRequest request) {
        return new Handout(
                Handout.Line.RUNTIME,
                request.sandbox().value(),
                Map.of(
                        RuntimeRequest.VERSION_PROPERTY,
                        RuntimeRequest.VERSION,
                        RuntimeRequest.OPERATION,
                        request.operation().name(),
                        RuntimeRequest.SANDBOX,
                        request.sandbox().value(),
                        RuntimeRequest.WORKER,
                        request.worker()),
                request.lifetime());
    }
}
