package dev.holdfast.worker;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jboss.logging.Logger;

/**
 * What the broker hands to this worker. When another server has its name, all of that is for the
 * other one: the platform is told to take no more of it here. What was not taken yet stays for the
 * other.
 */
@ApplicationScoped
class Deliveries {

    private static final Logger LOG = Logger.getLogger(Deliveries.class);

    /** Whose selector names the worker; the rest is for any node. */
    static final List<String> LISTENERS =
            List.of(
                    "CaptureListener",
                    "CompareListener",
                    "KillListener",
                    "NetworkListener",
                    "PeekListener",
                    "StartListener");

    @Resource(lookup = "java:module/ModuleName")
    String module;

    private final Set<String> active = ConcurrentHashMap.newKeySet();
    private boolean told;

    Deliveries() {
        active.addAll(LISTENERS);
    }

    /** Stops what is not stopped yet; to be called again until that is nothing. */
    void stop() {
        active.removeIf(this::isStopped);
    }

    private boolean isStopped(String listener) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName(
                                    "jboss.as:deployment=%s.war,subsystem=ejb3,message-driven-bean=%s"
                                            .formatted(module, listener)),
                            "stopDelivery",
                            new Object[0],
                            new String[0]);
            return true;
        } catch (JMException | RuntimeException e) { // the others are stopped all the same
            if (!told) {
                told = true;
                LOG.errorf(e, "%s still takes messages; it is stopped soon", listener);
            }
            return false;
        }
    }
}
