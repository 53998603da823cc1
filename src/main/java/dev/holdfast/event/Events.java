package dev.holdfast.event;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Topic;

/** Publishes transitions; the message leaves when the caller's transaction commits, or never. */
@Stateless
public class Events {

    static final String SUBJECT = "subject";
    static final String STATE = "state";
    static final String VERSION = "version";
    static final int CURRENT_VERSION = 1;

    @Inject
    @JMSConnectionFactory("java:/JmsXA")
    JMSContext jms;

    @Resource(lookup = "java:/jms/topic/holdfast.events")
    Topic topic;

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void publish(Event event) {
        jms.createProducer()
                .setProperty(VERSION, CURRENT_VERSION)
                .setProperty(SUBJECT, event.subject())
                .setProperty(STATE, event.state())
                .send(topic, event.subject());
    }
}
