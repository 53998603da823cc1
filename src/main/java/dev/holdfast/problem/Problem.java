package dev.holdfast.problem;

import jakarta.ejb.ApplicationException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A request that is refused or failed for a known reason.
 *
 * <p>The message is for the caller: what was wrong, what is allowed, what to do. It must hold
 * nothing that the caller may not see. Rolls back the transaction it passes through, and EJB does
 * not wrap it.
 */
@ApplicationException(rollback = true)
public class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Members every answer has; a room must not overwrite them. */
    private static final Set<String> RESERVED =
            Set.of(
                    "code",
                    "message",
                    "reason",
                    "error_code",
                    "requestId",
                    "type",
                    "title",
                    "status",
                    "detail",
                    "instance");

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    private final Reason reason;
    private final transient Map<String, Object> members;
    private final Duration retryAfter;

    public Problem(Reason reason, String message) {
        this(reason, message, Map.of(), null, null);
    }

    public Problem(Reason reason, String message, Throwable cause) {
        this(reason, message, Map.of(), null, cause);
    }

    private Problem(
            Reason reason,
            String message,
            Map<String, Object> members,
            Duration retryAfter,
            Throwable cause) {
        super(Objects.requireNonNull(message, "message"), cause);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.members = members;
        this.retryAfter = retryAfter;
    }

    /**
     * What a caller sent is not allowed.
     *
     * @param parameter the member, parameter or header that it is in
     * @param rule what is allowed there, as a sentence
     */
    public static Problem invalid(String parameter, String rule) {
        return new Problem(Reason.INVALID_PARAMETER, rule).with("parameter", parameter);
    }

    /**
     * The broker was away when a message was to be sent, so the transaction is undone.
     *
     * @param cause null where it was known to be away
     */
    public static Problem brokerUnavailable(Throwable cause) {
        return new Problem(
                        Reason.BROKER_UNAVAILABLE,
                        "The message broker cannot be reached, and without it no work can be handed"
                                + " to a worker. Nothing was changed; ask again later.",
                        cause)
                .retryAfter(ASK_AGAIN);
    }

    /** The database was away, before something was done or while it was. */
    static Problem databaseUnavailable(Throwable cause) {
        return new Problem(
                        Reason.TEMPORARILY_UNAVAILABLE,
                        "The database cannot be reached at the moment, so it is not known what"
                                + " became of the request. Look at the state of what it is about"
                                + " before you ask for it again.",
                        cause)
                .retryAfter(ASK_AGAIN);
    }

    /** What a failure means for whoever asked; {@code internal_error} if nobody foresaw it. */
    public static Problem of(Throwable thrown) {
        return Diagnosis.of(thrown, true).problem();
    }

    /**
     * The same problem with one more member in its body, such as {@code uploadId}. Values may be
     * text, numbers, booleans, lists and maps of these; anything else is written as its text.
     */
    public Problem with(String member, Object value) {
        if (RESERVED.contains(member)) {
            throw new IllegalArgumentException("Every problem already has a member " + member);
        }
        var more = new LinkedHashMap<>(members());
        more.put(member, value);
        return copy(Collections.unmodifiableMap(more), retryAfter);
    }

    /** The same problem, naming the long work that it is about and where that is shown. */
    public Problem about(Object project, Object upload) {
        return with("uploadId", upload.toString())
                .with("operation", OperationAddress.of(project, upload));
    }

    /** The same problem, saying when to try again. Only where nothing was done. */
    public Problem retryAfter(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("A wait cannot be negative: " + wait);
        }
        return copy(members(), wait);
    }

    public Reason reason() {
        return reason;
    }

    public Map<String, Object> members() {
        // transient: gone if the problem ever crossed a process border
        return members == null ? Map.of() : members;
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    private Problem copy(Map<String, Object> newMembers, Duration newRetryAfter) {
        var copy = new Problem(reason, getMessage(), newMembers, newRetryAfter, getCause());
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
