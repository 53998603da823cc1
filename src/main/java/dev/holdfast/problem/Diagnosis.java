package dev.holdfast.problem;

import jakarta.ejb.EJBAccessException;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PessimisticLockException;
import jakarta.resource.ResourceException;
import jakarta.transaction.RollbackException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.ws.rs.WebApplicationException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.transaction.xa.XAException;
import org.hibernate.StaleStateException;

/**
 * What a thrown thing means for the caller: a pure reading of the exception and its causes.
 *
 * @param unexpected true if nobody foresaw it, so that it has to be logged
 */
record Diagnosis(Problem problem, boolean unexpected) {
    /** Causes may form a ring. */
    private static final int DEEPEST_CAUSE = 16;

    /** Serialization failure, deadlock, lock not available. */
    private static final Set<String> LOST_RACE = Set.of("40001", "40P01", "55P03");

    /** It is stopping, starting, or has no connection left; class 08 is broken connections. */
    private static final Set<String> AWAY = Set.of("57P01", "57P02", "57P03", "53300");

    private static final String BROKEN_CONNECTION = "08";

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "(?:Query|Path|Header|Cookie|Matrix|Form)Param\\(\"([\\w.-]{1,64})\"\\)");

    static Diagnosis of(Throwable thrown, boolean signedIn) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            var known = known(cause, signedIn);
            if (known.isPresent()) {
                return new Diagnosis(known.get(), false);
            }
            cause = cause.getCause();
        }
        return fromPlatform(thrown, signedIn)
                .map(problem -> new Diagnosis(problem, problem.reason().status() >= 500))
                .orElseGet(() -> new Diagnosis(internal(), true));
    }

    static Problem internal() {
        return new Problem(
                Reason.INTERNAL_ERROR,
                "Something failed on our side. It was recorded under the request id; "
                        + "give that id to the operator if it stays.");
    }

    private static Optional<Problem> known(Throwable thrown, boolean signedIn) {
        if (thrown instanceof Problem problem) {
            return Optional.of(problem);
        }
        if (thrown instanceof ConstraintViolationException violations) {
            return invalid(violations);
        }
        if (thrown instanceof EJBAccessException) {
            return Optional.of(denied(signedIn));
        }
        if (thrown instanceof RollbackException && hasLostBroker(thrown)) {
            return Optional.of(Problem.brokerUnavailable(thrown));
        }
        if (thrown instanceof RollbackException && hasLostDatabase(thrown)
                || thrown instanceof SQLException sql && isAway(sql)) {
            return Optional.of(Problem.databaseUnavailable(thrown));
        }
        if (thrown instanceof OptimisticLockException
                || thrown instanceof PessimisticLockException
                || thrown instanceof LockTimeoutException
                || thrown instanceof StaleStateException
                || thrown instanceof SQLException sql && LOST_RACE.contains(state(sql))) {
            return Optional.of(
                    new Problem(
                            Reason.CONCURRENT_CHANGE,
                            "Another request changed the same thing at the same time and this one"
                                    + " was undone. Look at the present state, then repeat it."));
        }
        return Optional.empty();
    }

    /**
     * Whether it was away when what had been sent was to be committed. It says so by the plain
     * exception, the database by one of its own.
     */
    private static boolean hasLostBroker(Throwable rollback) {
        return Arrays.stream(rollback.getSuppressed())
                .anyMatch(each -> each.getClass() == XAException.class);
    }

    private static boolean hasLostDatabase(Throwable rollback) {
        return Arrays.stream(rollback.getSuppressed())
                .anyMatch(
                        each ->
                                each instanceof XAException failed
                                        && failed.errorCode == XAException.XAER_RMFAIL);
    }

    /** What has no state comes from the pool: it can make no connection, or has none to give. */
    private static boolean isAway(SQLException thrown) {
        String state = state(thrown);
        return thrown.getCause() instanceof ResourceException
                || AWAY.contains(state)
                || state.startsWith(BROKEN_CONNECTION);
    }

    private static String state(SQLException thrown) {
        return Objects.requireNonNullElse(thrown.getSQLState(), "");
    }

    /** Looked at last: JAX-RS wraps the exceptions of parameter classes in its own. */
    private static Optional<Problem> fromPlatform(Throwable thrown, boolean signedIn) {
        if (!(thrown instanceof WebApplicationException web)) {
            return Optional.empty();
        }
        int status = web.getResponse().getStatus();
        if (status == 401 || status == 403) {
            return Optional.of(denied(signedIn));
        }
        var parameter = PARAMETER.matcher(String.valueOf(web.getMessage()));
        if ((status == 404 || status == 400) && parameter.find()) {
            var name = parameter.group(1);
            return Optional.of(
                    Problem.invalid(
                            name, "Parameter '%s' has a value of the wrong form.".formatted(name)));
        }
        return Optional.of(ofStatus(status));
    }

    /** What the platform alone refused; its own words are not for callers. */
    static Problem ofStatus(int status) {
        var reason = Reason.ofStatus(status);
        return switch (reason) {
            case NOT_FOUND -> new Problem(reason, "There is nothing at this path.");
            case METHOD_NOT_ALLOWED ->
                    new Problem(
                            reason,
                            "This path does not take this method; the Allow header lists those it"
                                    + " takes.");
            case NOT_ACCEPTABLE ->
                    new Problem(
                            reason,
                            "This path cannot answer in a media type that Accept allows; ask for"
                                    + " application/json.");
            case UNSUPPORTED_MEDIA_TYPE ->
                    new Problem(
                            reason,
                            "This path does not take a body of this Content-Type; send"
                                    + " application/json in UTF-8.");
            case BODY_TOO_LARGE -> new Problem(reason, "The body is larger than is taken here.");
            case RATE_LIMITED -> new Problem(reason, "Too many requests; nothing was done.");
            case UNAUTHENTICATED -> denied(false);
            case PERMISSION_MISSING -> denied(true);
            case INVALID_PARAMETER -> new Problem(reason, "The request is malformed.");
            default -> internal();
        };
    }

    private static Problem denied(boolean signedIn) {
        return signedIn
                ? new Problem(
                        Reason.PERMISSION_MISSING,
                        "You are signed in, but lack a permission that this operation needs.")
                : new Problem(
                        Reason.UNAUTHENTICATED,
                        "No API key was given. Send one in the header X-API-Key.");
    }

    private static Optional<Problem> invalid(ConstraintViolationException thrown) {
        var violations = thrown.getConstraintViolations();
        if (violations == null || violations.isEmpty() || violations.stream().anyMatch(OURS)) {
            return Optional.empty();
        }
        var byField =
                violations.stream()
                        .sorted(Comparator.comparing(Diagnosis::field))
                        .map(v -> "'%s' %s".formatted(field(v), v.getMessage()))
                        .distinct()
                        .limit(10)
                        .collect(Collectors.joining("; "));
        var first = violations.stream().map(Diagnosis::field).sorted().findFirst().orElseThrow();
        return Optional.of(Problem.invalid(first, "Invalid: " + byField + "."));
    }

    /** A wrong return value is our fault, not the caller's. */
    private static final Predicate<ConstraintViolation<?>> OURS =
            violation ->
                    StreamSupport.stream(violation.getPropertyPath().spliterator(), false)
                            .anyMatch(node -> node.getKind() == ElementKind.RETURN_VALUE);

    /** The path as the caller knows it: without our method and its parameter for the body. */
    private static String field(ConstraintViolation<?> violation) {
        var properties = new StringBuilder();
        var last = "";
        for (var node : violation.getPropertyPath()) {
            if (node.getKind() == ElementKind.PROPERTY) {
                properties.append(properties.isEmpty() ? "" : ".").append(node.getName());
            }
            last = node.getName() == null ? last : node.getName();
        }
        return properties.isEmpty() ? last : properties.toString();
    }
}
