package dev.holdfast.sandbox;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;

/** Hands requests to a sandbox's worker, in the transaction that changed its row. */
@Stateless
public class RuntimeRequests {

    private static final String OPERATION = "operation";
    private static final String SANDBOX = "sandbox";
    private static final String WORKER = "worker";
    private static final String VERSION = "version";

    @Inject
    @JMSConnectionFactory("java:/JmsXA")
    JMSContext jms;

    @Resource(lookup = "java:/jms/queue/holdfast.runtime")
    Queue queue;

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(RuntimeRequest request) {
        jms.createProducer()
                .setProperty(VERSION, RuntimeRequest.VERSION)
                .setProperty(OPERATION, request.operation().name())
                .setProperty(SANDBOX, request.sandbox().value())
                .setProperty(WORKER, request.worker())
                .send(queue, request.sandbox().value());
    }

    /** Reads what {@link #send} wrote. */
    public static RuntimeRequest read(Message message) throws JMSException {
        return new RuntimeRequest(
                RuntimeRequest.Operation.valueOf(message.getStringProperty(OPERATION)),
                new SandboxId(message.getStringProperty(SANDBOX)),
                message.getStringProperty(WORKER));
    }
}
