package dev.holdfast.event;

import dev.holdfast.telemetry.Trail;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Tells what was committed: this node at once, the others through the topic. */
@ApplicationScoped
public class Announcer {

    static final String SUBJECT = "subject";
    static final String STATE = "state";
    static final String NODE = "node";
    static final String VERSION = "version";
    static final int CURRENT_VERSION = 1;

    private static final Logger LOG = Logger.getLogger(Announcer.class);

    @Inject
    @ConfigProperty(name = "holdfast.worker.id", defaultValue = "worker-1")
    String node;

    @Inject jakarta.enterprise.event.Event<Event> observers;
    @Inject Reach reach;
    @Inject Waits waits;

    @Resource ManagedExecutorService executor;

    /** Its contexts are made by hand: an injected one lives with a request, and here is none. */
    @Resource(lookup = "java:/JmsXA")
    ConnectionFactory factory;

    @Resource(lookup = "java:/jms/topic/holdfast.events")
    Topic topic;

    /** Returns at once; a hint that is lost is made good by those who look again by themselves. */
    void announce(List<Event> events) {
        try {
            executor.execute(Trail.here().around(() -> tellAll(events)));
        } catch (RejectedExecutionException full) {
            LOG.debugf("%s is not announced: %s", events, full.getMessage());
        }
    }

    /** Who is on this node hears first, whatever becomes of the broker. */
    private void tellAll(List<Event> events) {
        events.forEach(this::tell);
        if (!reach.isToBeTried()) {
            return;
        }
        try (JMSContext jms = factory.createContext()) {
            var producer = jms.createProducer().setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            events.forEach(
                    event ->
                            producer.setProperty(VERSION, CURRENT_VERSION)
                                    .setProperty(NODE, node)
                                    .setProperty(SUBJECT, event.subject())
                                    .setProperty(STATE, event.state())
                                    .send(topic, event.subject()));
            reach.succeeded();
        } catch (JMSRuntimeException e) {
            LOG.debugf("Other nodes were not told of %s: %s", events, e.getMessage());
            reach.failed(e);
        }
    }

    private void tell(Event event) {
        waits.signal(event.subject());
        try {
            observers.fire(event);
        } catch (RuntimeException e) { // whoever fails on one still hears the others
            LOG.warnf(e, "Somebody could not be told of %s", event);
        }
    }
}
