package dev.holdfast.capture;

import dev.holdfast.snapshot.UploadId;
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

/** Hands a capture to the sandbox's worker, in the transaction that accepted it. */
@Stateless
public class CaptureRequests {

    private static final int CURRENT_VERSION = 1;

    @Inject Traces traces;

    @Inject
    @JMSConnectionFactory("java:/JmsXA")
    JMSContext jms;

    @Resource(lookup = "java:/jms/queue/holdfast.capture")
    Queue queue;

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(UploadId upload, String worker) {
        try (Step step = traces.send("holdfast.capture")) {
            step.trail()
                    .onto(jms.createProducer())
                    .setProperty("version", CURRENT_VERSION)
                    .setProperty(CaptureRequest.UPLOAD, upload.toString())
                    .setProperty("worker", worker)
                    .send(queue, upload.toString());
        }
    }
}
