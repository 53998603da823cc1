package dev.holdfast.worker;

import dev.holdfast.sandbox.RuntimeRequest;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.telemetry.Trail;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.jboss.logging.Logger;

/** A start that nobody could take has failed; else its sandbox would be starting for ever. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationLookup",
                    propertyValue = "java:/jms/queue/DLQ"),
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(
                    propertyName = "messageSelector",
                    propertyValue = "operation = 'START'"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "1")
        })
public class LostStartListener implements MessageListener {

    private static final Logger LOG = Logger.getLogger(LostStartListener.class);

    @Inject Sandboxes sandboxes;

    @Override
    public void onMessage(Message message) {
        RuntimeRequest request = RuntimeRequest.of(message);
        try (Trail.Scope scope = RuntimeRequest.trail(message).open()) {
            LOG.warnf("Sandbox %s does not start: no worker could take it", request.sandbox());
            sandboxes.notStarted(request.sandbox(), "no worker could take the request");
        }
    }
}
