package dev.holdfast.capture;

import dev.holdfast.telemetry.Step;
import dev.holdfast.telemetry.Traces;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/**
 * Takes this worker's captures. The run commits its own claim before it does anything, so the
 * message needs no transaction and may come again.
 */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationLookup",
                    propertyValue = "java:/jms/queue/holdfast.capture"),
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(
                    propertyName = "messageSelector",
                    propertyValue = "worker = '${env.HOLDFAST_WORKER_ID:worker-1}'"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "4")
        })
public class CaptureListener implements MessageListener {

    private static final String QUEUE = "holdfast.capture";

    @Inject CaptureRun run;
    @Inject Traces traces;

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void onMessage(Message message) {
        CaptureRequest request = CaptureRequest.of(message);
        try (Step step = traces.taken(QUEUE, request.trail())) {
            run.capture(request.upload());
        }
    }
}
