package dev.holdfast.sandbox;

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

/** Hands requests to a sandbox's worker, in the transaction that changed its row. */
@Stateless
public class RuntimeRequests {

    @Inject Traces traces;

    @Inject
    @JMSConnectionFactory("java:/JmsXA")
    JMSContext jms;

    @Resource(lookup = "java:/jms/queue/holdfast.runtime")
    Queue queue;

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(RuntimeRequest request) {
        try (Step step = traces.send("holdfast.runtime")) {
            step.trail()
                    .onto(jms.createProducer())
                    .setTimeToLive(request.lifetime().toMillis())
                    .setProperty(RuntimeRequest.VERSION_PROPERTY, RuntimeRequest.VERSION)
                    .setProperty(RuntimeRequest.OPERATION, request.operation().name())
                    .setProperty(RuntimeRequest.SANDBOX, request.sandbox().value())
                    .setProperty(RuntimeRequest.WORKER, request.worker())
                    .send(queue, request.sandbox().value());
        }
    }
}
