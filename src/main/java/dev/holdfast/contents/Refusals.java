package dev.holdfast.contents;

import dev.holdfast.agent.AgentException;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** What is said when looking into a snapshot fails. */
final class Refusals {

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    /** A sandbox may say what it likes, but not at any length. */
    private static final int LONGEST = 500;

    private Refusals() {}

    static RuntimeException of(Throwable failure) {
        Throwable cause = Waits.cause(failure);
        if (cause instanceof Problem told) {
            return told;
        }
        if (cause instanceof TimeoutException) {
            return unavailable("The snapshot did not open in time.");
        }
        if (cause instanceof AgentException told) {
            return of(told);
        }
        return cause instanceof RuntimeException other ? other : new IllegalStateException(cause);
    }

    private static Problem of(AgentException told) {
        String words = told.getMessage() == null ? "" : told.getMessage();
        String shown =
                (words.length() > LONGEST ? words.substring(0, LONGEST) : words)
                        .replaceAll("\\p{Cntrl}", "?");
        return switch (told.code()) {
            case NOT_FOUND ->
                    new Problem(
                            Reason.FILE_NOT_FOUND,
                            "In this snapshot " + shown + ". List a directory to see what is.");
            case NOT_A_DIRECTORY, IS_A_DIRECTORY, FAILED_PRECONDITION, INVALID_ARGUMENT ->
                    new Problem(
                            Reason.FILE_NOT_READABLE,
                            "Only regular files have content, and only directories entries: "
                                    + shown
                                    + ".");
            case RESOURCE_EXHAUSTED ->
                    new Problem(
                            Reason.FILE_TOO_LARGE,
                            shown
                                    + ". Ask for a part of a file with the header Range, for a"
                                    + " smaller directory, or restore the snapshot.");
            default -> unavailable("What shows the snapshot has failed or was ended.");
        };
    }

    private static Problem unavailable(String what) {
        return new Problem(
                        Reason.CONTENTS_UNAVAILABLE,
                        what + " The snapshot is as it was. Ask again, or restore it.")
                .retryAfter(ASK_AGAIN);
    }
}
