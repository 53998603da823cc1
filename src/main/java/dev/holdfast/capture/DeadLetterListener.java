package dev.holdfast.capture;

import dev.holdfast.snapshot.Snapshots;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

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

    @Inject Snapshots snapshots;

    @Override
    public void onMessage(Message message) {
        snapshots.fail(CaptureRequest.of(message).upload(), "no worker could take the request");
    }
}
