package dev.holdfast.worker;

import dev.holdfast.sandbox.RuntimeRequest;
import dev.holdfast.telemetry.Trail;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.jboss.logging.Logger;

/**
 * A kill that its worker has not heard in time is forgotten: a worker that comes back ends by
 * itself what its rows say has ended, and one that does not has nothing to end.
 */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationLookup",
                    propertyValue = "java:/jms/queue/ExpiryQueue"),
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(
                    propertyName = "messageSelector",
                    propertyValue = "operation = 'KILL'"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "1")
        })
public class UnheardKillListener implements MessageListener {

    private static final Logger LOG = Logger.getLogger(UnheardKillListener.class);

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void onMessage(Message message) {
        RuntimeRequest request = RuntimeRequest.of(message);
        try (Trail.Scope scope = RuntimeRequest.trail(message).open()) {
            LOG.infof(
                    "Worker %s was not told that sandbox %s has ended; it sees that when it is back",
                    request.worker(), request.sandbox());
        }
    }
}
