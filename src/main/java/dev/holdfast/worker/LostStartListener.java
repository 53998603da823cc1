package dev.holdfast.worker;

import dev.holdfast.sandbox.RuntimeRequest;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

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

    @Inject Sandboxes sandboxes;

    @Override
    public void onMessage(Message message) {
        sandboxes.notStarted(
                RuntimeRequest.of(message).sandbox(), "no worker could take the request");
    }
}
