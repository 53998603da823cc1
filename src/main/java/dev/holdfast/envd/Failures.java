package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;

/** What a failed operation of the agent is called outside, in both dialects of the data plane. */
final class Failures {

    private static final Logger LOG = Logger.getLogger(Failures.class);

    private Failures() {}

    static ConnectError connect(Throwable thrown) {
        Throwable failure = cause(thrown);
        if (failure instanceof ConnectError error) {
            return error;
        }
        if (failure instanceof AgentException refused) {
            return new ConnectError(code(refused), refused.getMessage());
        }
        LOG.error("a call to a sandbox failed", failure);
        return new ConnectError(ConnectCode.INTERNAL, "the call failed");
    }

    static RestError rest(Throwable thrown) {
        Throwable failure = cause(thrown);
        if (failure instanceof RestError error) {
            return error;
        }
        if (failure instanceof ConnectError error) {
            return new RestError(error.code().status(), error.getMessage());
        }
        if (failure instanceof AgentException refused) {
            return new RestError(status(refused), refused.getMessage());
        }
        LOG.error("a call to a sandbox failed", failure);
        return new RestError(500, "the call failed");
    }

    /** The SDKs know a closed or foreign input as an internal error, not as a failed condition. */
    static CompletionStage<Void> closedInput(CompletionStage<Void> input) {
        return input.exceptionallyCompose(
                thrown ->
                        CompletableFuture.failedFuture(
                                cause(thrown) instanceof AgentException refused
                                                && refused.code() == ErrorCode.FAILED_PRECONDITION
                                        ? new ConnectError(
                                                ConnectCode.INTERNAL, refused.getMessage())
                                        : cause(thrown)));
    }

    /** Says of a missing file what the SDKs' users read, with the path they asked for. */
    static Throwable of(String path, Throwable thrown) {
        return cause(thrown) instanceof AgentException refused
                        && refused.code() == ErrorCode.NOT_FOUND
                ? new RestError(404, "path '" + path + "' does not exist")
                : thrown;
    }

    /** Whether the sandbox could not be asked, as opposed to having refused. */
    static boolean isUnreachable(Throwable thrown) {
        return cause(thrown) instanceof AgentException refused
                && switch (refused.code()) {
                    case UNAVAILABLE, CHANNEL_RESET -> true;
                    default -> false;
                };
    }

    /** Whether the agent does not know what it was asked for. */
    static boolean isUnimplemented(Throwable thrown) {
        return cause(thrown) instanceof AgentException refused
                && refused.code() == ErrorCode.UNIMPLEMENTED;
    }

    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null
                ? thrown.getCause()
                : thrown;
    }

    private static ConnectCode code(AgentException refused) {
        return switch (refused.code()) {
            case NOT_FOUND -> ConnectCode.NOT_FOUND;
            case ALREADY_EXISTS -> ConnectCode.ALREADY_EXISTS;
            case INVALID_ARGUMENT, NOT_A_DIRECTORY, IS_A_DIRECTORY -> ConnectCode.INVALID_ARGUMENT;
            case PERMISSION_DENIED -> ConnectCode.PERMISSION_DENIED;
            case FAILED_PRECONDITION, NO_SPACE -> ConnectCode.FAILED_PRECONDITION;
            case RESOURCE_EXHAUSTED, TOO_LARGE -> ConnectCode.RESOURCE_EXHAUSTED;
            case UNKNOWN_USER -> ConnectCode.UNAUTHENTICATED;
            case UNIMPLEMENTED -> ConnectCode.UNIMPLEMENTED;
            case UNAVAILABLE, CHANNEL_RESET -> ConnectCode.UNAVAILABLE;
            case DEADLINE -> ConnectCode.DEADLINE_EXCEEDED;
            case INTERNAL -> ConnectCode.INTERNAL;
        };
    }

    private static int status(AgentException refused) {
        return switch (refused.code()) {
            case NOT_FOUND -> 404;
            case ALREADY_EXISTS -> 409;
            case INVALID_ARGUMENT, NOT_A_DIRECTORY, IS_A_DIRECTORY, FAILED_PRECONDITION -> 400;
            case PERMISSION_DENIED -> 403;
            case RESOURCE_EXHAUSTED -> 429;
            case TOO_LARGE -> 502;
            case UNKNOWN_USER -> 401;
            case UNIMPLEMENTED -> 501;
            case UNAVAILABLE, CHANNEL_RESET -> 503;
            case DEADLINE -> 504;
            case NO_SPACE -> 507;
            case INTERNAL -> 500;
        };
    }
}
