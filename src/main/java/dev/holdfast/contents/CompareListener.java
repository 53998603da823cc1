package dev.holdfast.contents;

import dev.holdfast.peek.LookRequest;
import dev.holdfast.telemetry.Step;
import dev.holdfast.telemetry.Traces;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Takes what this worker is to compare, one after the other; the claim commits by itself. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationLookup",
                    propertyValue = "java:/jms/queue/holdfast.runtime"),
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(
                    propertyName = "messageSelector",
                    propertyValue =
                            "operation = 'COMPARE'"
                                    + " AND worker = '${env.HOLDFAST_WORKER_ID:worker-1}'"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "1")
        })
public class CompareListener implements MessageListener {

    private static final String QUEUE = "holdfast.runtime";

    @Inject ComparisonRun run;
    @Inject Traces traces;

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void onMessage(Message message) {
        try (Step step = traces.taken(QUEUE, LookRequest.trail(message))) {
            run.compare(LookRequest.subject(message));
        }
    }
}
