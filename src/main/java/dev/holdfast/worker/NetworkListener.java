package dev.holdfast.worker;

import dev.holdfast.sandbox.RuntimeRequest;
import dev.holdfast.telemetry.Step;
import dev.holdfast.telemetry.Traces;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Takes the changes of the network for this worker. */
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
                            "operation = 'NETWORK' AND worker ="
                                    + " '${env.HOLDFAST_WORKER_ID:worker-1}'"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "8")
        })
public class NetworkListener implements MessageListener {

    private static final String QUEUE = "holdfast.runtime";

    @Inject Networks networks;
    @Inject Traces traces;

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void onMessage(Message message) {
        try (Step step = traces.taken(QUEUE, RuntimeRequest.trail(message))) {
            networks.apply(RuntimeRequest.of(message).sandbox());
        }
    }
}
