package dev.holdfast.snapshot;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Why a capture came to nothing.
 *
 * @param reason for programs
 * @param words for people, to be read after a colon
 * @param figures what the reason is about in numbers, as of a quota its limit
 */
public record Failure(Reason reason, String words, Map<String, Long> figures) {

    private static final int MOST_CAUSES = 16;

    public static final Failure CANCELLED =
            new Failure(Reason.CAPTURE_CANCELLED, "it was cancelled");

    public static final Failure PAST_DEADLINE =
            new Failure(Reason.CAPTURE_EXPIRED, "it was not finished by its deadline");

    public Failure {
        Objects.requireNonNull(reason);
        Objects.requireNonNull(words);
        figures = Map.copyOf(figures);
    }

    public Failure(Reason reason, String words) {
        this(reason, words, Map.of());
    }

    public static Failure of(String words) {
        return new Failure(Reason.CAPTURE_FAILED, words);
    }

    /** A refusal for want of room keeps its own reason; whatever else went wrong has the words. */
    public static Failure of(Throwable thrown, String words) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof Problem problem
                    && problem.reason() == Reason.QUOTA_BYTES_EXCEEDED) {
                return new Failure(problem.reason(), words, figures(problem));
            }
            cause = cause.getCause();
        }
        return of(words);
    }

    private static Map<String, Long> figures(Problem problem) {
        Map<String, Long> figures = new TreeMap<>();
        problem.members()
                .forEach(
                        (name, value) -> {
                            if (value instanceof Number number) {
                                figures.put(name, number.longValue());
                            }
                        });
        return figures;
    }

    /** The refusal of whoever waited for the capture. */
    public Problem problem(String opening) {
        Problem problem =
                new Problem(
                        reason, opening + ": " + words + ". The sandbox can be used as before.");
        for (Map.Entry<String, Long> figure : figures.entrySet()) {
            problem = problem.with(figure.getKey(), figure.getValue());
        }
        return problem;
    }
}
