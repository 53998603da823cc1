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
     * In the transaction that changed the row. A kill follows it: no sandbox is kept from ending by
     * a broker that is away, and its worker finds by itself what has ended.
     *
     * @throws dev.holdfast.problem.Problem {@code broker_unavailable}, but not of a kill
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(RuntimeRequest request) {
        Handout handout =
                new Handout(
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
        if (request.operation() == RuntimeRequest.Operation.KILL) {
            broker.sendAfter(handout);
        } else {
            broker.send(handout);
        }
    }
}
