package dev.holdfast.peek;

import dev.holdfast.telemetry.Step;
import dev.holdfast.telemetry.Traces;
import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.time.Duration;

/** Hands requests to a worker, in the transaction that wrote down what they are about. */
@Stateless
public class LookRequests {

    /** A worker that comes later finds nobody who waits. */
    private static final Duration HEARD = Duration.ofMinutes(3);

    @Inject Traces traces;

    @Inject
    @JMSConnectionFactory("java:/JmsXA")
    JMSContext jms;

    @Resource(lookup = "java:/jms/queue/holdfast.runtime")
    Queue queue;

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(LookRequest request) {
        try (Step step = traces.send("holdfast.runtime")) {
            step.trail()
                    .onto(jms.createProducer())
                    .setTimeToLive(
                            request.operation() == LookRequest.Operation.PEEK
                                    ? HEARD.toMillis()
                                    : 0)
                    .setProperty("version", LookRequest.VERSION)
                    .setProperty(LookRequest.OPERATION, request.operation().name())
                    .setProperty(LookRequest.SUBJECT, request.subject().toString())
                    .setProperty(LookRequest.WORKER, request.worker())
                    .send(queue, request.subject().toString());
        }
    }
}
