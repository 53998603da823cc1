package dev.holdfast.fleet;

import jakarta.enterprise.context.ApplicationScoped;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
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
@ApplicationScoped
public class ServerStates {

    /**
     * Who is told before whom: whoever holds a change up holds it up for those after him too. JMX
     * has no order but that in which they came.
     */
    public enum Turn {
        /** Clients turn to other nodes; so the drain meets hardly any who want something new. */
        FAREWELL,
        /** What runs here is paused. */
        DRAIN
    }

    private static final String SERVER = "jboss.root:type=state";
    private static final String STATE = "RunningState";

    /**
     * A reload, and a TERM to a server that is to be reloaded, come to the second without the
     * first.
     */
    private static final Set<String> STOPPING = Set.of("suspending", "stopping");

    private static final String RUNNING = "normal";

    private final Map<Turn, Consumer<Notification>> all = new ConcurrentSkipListMap<>();
    private final NotificationListener listener = (told, nothing) -> pass(told);

    /** Tells somebody of each change from now on. */
    public synchronized void tell(Turn turn, Consumer<Notification> hearer) {
        boolean first = all.isEmpty();
        all.put(turn, hearer);
        if (first) {
            listen();
        }
    }

    /** Tells nothing more to who has that turn. */
    public synchronized void forget(Turn turn) {
        if (all.remove(turn) != null && all.isEmpty()) {
            listenNoMore();
        }
    }

    private void pass(Notification told) {
        all.values().forEach(hearer -> hearer.accept(told));
    }

    private void listen() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .addNotificationListener(new ObjectName(SERVER), listener, null, null);
        } catch (JMException e) {
            throw new IllegalStateException("the server does not say that it stops", e);
        }
    }

    private void listenNoMore() {
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
