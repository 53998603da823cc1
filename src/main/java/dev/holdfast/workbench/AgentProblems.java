package dev.holdfast.workbench;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * What is told of a refusal inside a sandbox: our own words, because the agent is hostile. What it
 * says goes only where it is shown as text.
 */
final class AgentProblems {

    private static final int LONGEST = 200;

    private AgentProblems() {}

    /** For what is asked about a file. */
    static <T> Function<Throwable, T> ofFile(String path) {
        return failure -> {
            throw new CompletionException(file(path, Waits.cause(failure)));
        };
    }

    /** For what is asked of a program that may have ended. */
    static <T> T ofProcess(Throwable failure) {
        Throwable cause = Waits.cause(failure);
        throw new CompletionException(
                cause instanceof AgentException refused && refused.code() == ErrorCode.NOT_FOUND
                        ? new Problem(
                                Reason.PROCESS_NOT_FOUND,
                                "No program of that number runs in the session any more.")
                        : cause(cause));
    }

    /** For anything else. */
    static <T> T of(Throwable failure) {
        throw new CompletionException(cause(Waits.cause(failure)));
    }

    static Throwable file(String path, Throwable cause) {
        if (!(cause instanceof AgentException refused)) {
            return cause;
        }
        return switch (refused.code()) {
            case NOT_FOUND ->
                    new Problem(Reason.FILE_NOT_FOUND, "There is nothing at " + shown(path) + ".");
            case NOT_A_DIRECTORY, IS_A_DIRECTORY, PERMISSION_DENIED, FAILED_PRECONDITION ->
                    new Problem(
                            Reason.FILE_NOT_READABLE,
                            shown(path)
                                    + " cannot be used so: it is a directory, is none, or may not"
                                    + " be touched.");
            case NO_SPACE ->
                    new Problem(
                            Reason.FILE_TOO_LARGE,
                            "The disk of the session is full. Remove something in it first.");
            case INVALID_ARGUMENT -> Problem.invalid("path", "\"path\" is no path of the session.");
            default -> cause(refused);
        };
    }

    /** The same as a value. */
    static Throwable cause(Throwable cause) {
        if (!(cause instanceof AgentException refused)) {
            return cause;
        }
        return switch (refused.code()) {
            case NOT_FOUND ->
                    new Problem(
                            Reason.CONTEXT_NOT_FOUND,
                            "The session has no such interpreter any more.");
            case TOO_LARGE ->
                    new Problem(
                            Reason.ANSWER_TOO_LARGE,
                            "The session said more than is taken for an answer. If that stays so,"
                                    + " something in it has taken its agent's place.");
            case RESOURCE_EXHAUSTED ->
                    new Problem(
                            Reason.FILE_TOO_LARGE,
                            "That is more than is handed out of a session at once.");
            case INVALID_ARGUMENT ->
                    new Problem(Reason.INVALID_PARAMETER, "The session refused: " + said(refused));
            case UNIMPLEMENTED, FAILED_PRECONDITION ->
                    new Problem(
                            Reason.INTERPRETER_UNAVAILABLE,
                            "What the session runs on has no such interpreter. Open one from the"
                                    + " template code-interpreter-v1.");
            default ->
                    new Problem(
                            Reason.TEMPORARILY_UNAVAILABLE,
                            "The session does not answer. Try again; if it stays so, it has"
                                    + " ended.");
        };
    }

    private static String said(AgentException refused) {
        String text = shown(refused.getMessage());
        return text.isEmpty() ? "it does not say why." : text;
    }

    private static String shown(String text) {
        String plain = text == null ? "" : text.replaceAll("\\p{Cntrl}", " ");
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST);
    }
}
