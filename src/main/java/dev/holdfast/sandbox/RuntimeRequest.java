package dev.holdfast.sandbox;

import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Trail;
import jakarta.ejb.EJBException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.Objects;

/** What a worker is asked to do with a sandbox; travels on {@code holdfast.runtime}. */
public record RuntimeRequest(Operation operation, SandboxId sandbox, String worker) {

    public static final int VERSION = 1;

    /** For so long a kill waits for its worker, which may never come back. */
    static final Duration KILL_HEARD = Duration.ofMinutes(10);

    static final String VERSION_PROPERTY = "version";
    static final String OPERATION = "operation";
    static final String SANDBOX = "sandbox";
    static final String WORKER = "worker";

    public enum Operation {
        /**
         * Make its machine, fresh or from its snapshot. A worker looks for rows that wait for that
         * by itself as well.
         */
        START,
        /**
         * Its row has ended: end its machine. A worker looks for such rows by itself as well, so
         * what it does not hear, or not in time, it need not hear.
         */
        KILL,
        /** Its row says anew what it may reach. */
        NETWORK
    }

    public RuntimeRequest {
        Objects.requireNonNull(operation);
        Objects.requireNonNull(sandbox);
        Objects.requireNonNull(worker);
    }

    /** After how long it need not be heard any more; zero: never. */
    Duration lifetime() {
        return operation == Operation.KILL ? KILL_HEARD : Duration.ZERO;
    }

    /** What the log lines of the request's work have in common. */
    public static Trail trail(Message message) {
        try {
            return Trail.of(message).with(Mark.SANDBOX, message.getStringProperty(SANDBOX));
        } catch (JMSException e) {
            throw new EJBException(e); // it escapes the listener, and the message comes again
        }
    }

    /** Reads what {@link RuntimeRequests#send} wrote. */
    public static RuntimeRequest of(Message message) {
        try {
            return new RuntimeRequest(
                    Operation.valueOf(message.getStringProperty(OPERATION)),
                    new SandboxId(message.getStringProperty(SANDBOX)),
                    message.getStringProperty(WORKER));
        } catch (JMSException e) {
            throw new EJBException(e); // it escapes the listener, and the message comes again
        }
    }
}
