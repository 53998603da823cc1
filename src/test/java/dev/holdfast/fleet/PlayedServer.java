package dev.holdfast.fleet;

import java.lang.management.ManagementFactory;
import javax.management.AttributeChangeNotification;
import javax.management.JMException;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.StandardEmitterMBean;

/** Tells of its state as the server does, which is not there. */
public final class PlayedServer implements AutoCloseable {

    private static final String NAME = "jboss.root:type=state";

    private final NotificationBroadcasterSupport listeners = new NotificationBroadcasterSupport();

    public PlayedServer() throws JMException {
        ManagementFactory.getPlatformMBeanServer()
                .registerMBean(
                        new StandardEmitterMBean(() -> {}, Runnable.class, listeners),
                        new ObjectName(NAME));
    }

    /** Returns when all have who are told. */
    public void turn(String before, String now) {
        listeners.sendNotification(news(this, "RunningState", before, now));
    }

    public static AttributeChangeNotification news(
            Object source, String attribute, String before, String now) {
        return new AttributeChangeNotification(
                source, 1, 1, "changed", attribute, String.class.getName(), before, now);
    }

    @Override
    public void close() throws JMException {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
    }
}
