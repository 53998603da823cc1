package dev.holdfast.fleet;

import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.AttributeChangeNotification;
import javax.management.JMException;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/**
 * What the server says of its own state: by notifications of JMX, on the thread that changes it. So
 * whoever does not return from one holds the change up. It says that it suspends, which is how
 * every stop begins, before it asks anything of the application.
 */
public final class ServerStates {

    private static final String SERVER = "jboss.root:type=state";
    private static final String STATE = "RunningState";

    /**
     * A reload, and a TERM to a server that is to be reloaded, come to the second without the
     * first.
     */
    private static final Set<String> STOPPING = Set.of("suspending", "stopping");

    private static final String RUNNING = "normal";

    private ServerStates() {}

    /** Tells the listener of each change from now on. */
    public static void tell(NotificationListener listener) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .addNotificationListener(new ObjectName(SERVER), listener, null, null);
        } catch (JMException e) {
            throw new IllegalStateException("the server does not say that it stops", e);
        }
    }

    /** Tells the listener nothing more. */
    public static void forget(NotificationListener listener) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .removeNotificationListener(new ObjectName(SERVER), listener);
        } catch (JMException e) {
            throw new IllegalStateException("the server did not tell of its stops", e);
        }
    }

    /** Whether a stop begins, or goes on. */
    public static boolean isStop(Notification told) {
        return told instanceof AttributeChangeNotification change
                && change.getAttributeName().equals(STATE)
                && STOPPING.contains(String.valueOf(change.getNewValue()));
    }

    /** Whether it runs, for the first time or again. */
    public static boolean isBack(Notification told) {
        return told instanceof AttributeChangeNotification change
                && change.getAttributeName().equals(STATE)
                && RUNNING.equals(change.getNewValue());
    }
}
