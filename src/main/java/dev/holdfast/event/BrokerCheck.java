package dev.holdfast.event;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Whether the broker takes a connection and knows the queue that work is handed over by. */
@Readiness
@ApplicationScoped
public class BrokerCheck implements HealthCheck {

    @Resource(lookup = "java:/JmsXA")
    ConnectionFactory broker;

    @Resource(lookup = "java:/jms/queue/holdfast.runtime")
    Queue queue;

    @Inject Reach reach;

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("broker");
        Optional<String> lack = lack();
        if (lack.isEmpty()) {
            reach.succeeded(); // whoever is told that it is ready is not refused for want of it
        }
        return lack.map(why -> answer.down().withData("why", why)).orElseGet(answer::up).build();
    }

    /** What is wrong with it now; empty if nothing is. */
    Optional<String> lack() {
        try (var jms = broker.createContext();
                var browser = jms.createBrowser(queue)) {
            browser.getEnumeration();
            return Optional.empty();
        } catch (JMSException | JMSRuntimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
