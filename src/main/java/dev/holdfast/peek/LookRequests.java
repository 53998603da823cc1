package dev.holdfast.peek;

import dev.holdfast.event.Broker;
import dev.holdfast.event.Handout;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;

/** Hands requests to a worker, in the transaction that wrote down what they are about. */
@Stateless
public class LookRequests {

    /** A worker that comes later finds nobody who waits. */
    private static final Duration HEARD = Duration.ofMinutes(3);

    @Inject Broker broker;

    /**
     * @throws dev.holdfast.problem.Problem {@code broker_unavailable}
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(LookRequest request) {
        broker.send(
                new Handout(
                        Handout.Line.RUNTIME,
                        request.subject().toString(),
                        Map.of(
                                "version",
                                LookRequest.VERSION,
                                LookRequest.OPERATION,
                                request.operation().name(),
                                LookRequest.SUBJECT,
                                request.subject().toString(),
                                LookRequest.WORKER,
                                request.worker()),
                        request.operation() == LookRequest.Operation.PEEK ? HEARD : Duration.ZERO));
    }
}
