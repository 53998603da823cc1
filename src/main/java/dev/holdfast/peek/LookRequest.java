package dev.holdfast.peek;

import dev.holdfast.telemetry.Trail;
import jakarta.ejb.EJBException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Objects;
import java.util.UUID;

/**
 * What a worker is asked to do to see into snapshots; travels on {@code holdfast.runtime}.
 *
 * @param subject the peek or the comparison
 */
public record LookRequest(Operation operation, UUID subject, String worker) {

    static final int VERSION = 1;
    static final String OPERATION = "operation";
    static final String SUBJECT = "subject";
    static final String WORKER = "worker";

    /** What is asked. */
    public enum Operation {
        PEEK,
        COMPARE
    }

    public LookRequest {
        Objects.requireNonNull(operation);
        Objects.requireNonNull(subject);
        Objects.requireNonNull(worker);
    }

    public static Trail trail(Message message) {
        try {
            return Trail.of(message);
        } catch (JMSException e) {
            throw new EJBException(e); // it escapes the listener, and the message comes again
        }
    }

    /** Which peek or comparison a message is about. */
    public static UUID subject(Message message) {
        try {
            return UUID.fromString(message.getStringProperty(SUBJECT));
        } catch (JMSException e) {
            throw new EJBException(e); // it escapes the listener, and the message comes again
        }
    }
}
