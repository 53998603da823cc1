package dev.holdfast.capture;

import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.telemetry.Trail;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.jboss.logging.Logger;

/** A capture request that nobody could take fails its capture, so that nobody waits for it. */
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
                    propertyValue = "upload IS NOT NULL"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "1")
        })
public class DeadLetterListener implements MessageListener {

    private static final Logger LOG = Logger.getLogger(DeadLetterListener.class);

    @Inject Snapshots snapshots;

    @Override
    public void onMessage(Message message) {
        CaptureRequest request = CaptureRequest.of(message);
        try (Trail.Scope scope = request.trail().open()) {
            LOG.warnf("Capture %s fails: no worker could take it", request.upload());
            snapshots.fail(request.upload(), "no worker could take the request");
        }
    }
}
