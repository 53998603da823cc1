package dev.holdfast.event;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Hands what other nodes say to this node's waiters and observers; no transaction is needed. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationLookup",
                    propertyValue = "java:/jms/topic/holdfast.events"),
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Topic"),
            @ActivationConfigProperty(
                    propertyName = "messageSelector",
                    propertyValue = "node <> '${env.HOLDFAST_WORKER_ID:worker-1}'")
        })
public class EventListener implements MessageListener {

    @Inject Waits waits;
    @Inject jakarta.enterprise.event.Event<Event> observers;

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void onMessage(Message message) {
        try {
            Event event =
                    new Event(
                            message.getStringProperty(Announcer.SUBJECT),
                            message.getStringProperty(Announcer.STATE));
            waits.signal(event.subject());
            observers.fire(event);
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
