package dev.holdfast.event;

import dev.holdfast.telemetry.Trail;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * A message to a worker.
 *
 * @param subject what it is about; also the message's text, for people who look into the queue
 * @param properties what listeners select by and read
 * @param lifetime after how long it need not be heard any more; zero: never
 */
public record Handout(
        Line line, String subject, Map<String, Object> properties, Duration lifetime) {

    /** Where workers listen. */
    public enum Line {
        CAPTURE("holdfast.capture"),
        RUNTIME("holdfast.runtime");

        private final String queue;

        Line(String queue) {
            this.queue = queue;
        }

        String queue() {
            return queue;
        }
    }

    public Handout {
        Objects.requireNonNull(line);
        Objects.requireNonNull(subject);
        properties = Map.copyOf(properties);
        if (lifetime.isNegative()) {
            throw new IllegalArgumentException("a message cannot live less than not at all");
        }
    }

    void sendBy(JMSContext jms, Queue queue, Trail trail) {
        JMSProducer producer = trail.onto(jms.createProducer()).setTimeToLive(lifetime.toMillis());
        properties.forEach(producer::setProperty);
        producer.send(queue, subject);
    }
}
