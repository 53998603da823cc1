package dev.holdfast.worker;

import dev.holdfast.agent.AgentException;
import dev.holdfast.problem.Problem;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.storage.BucketException;
import dev.holdfast.storage.ManifestException;
import dev.holdfast.storage.PartException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * What the owner of a sandbox is told of a failure. The words are ours alone: messages of
 * exceptions name places on the host, and an agent's may hold what no database text can.
 */
public record Explanation(String words) {

    /** What the kernel says, which Java hands on as a message only. */
    private static final String FULL = "No space left on device";

    /** Causes may form a ring. */
    private static final int DEEPEST_CAUSE = 16;

    /** Explains by the outermost cause that is known; the log has the rest. */
    public static Explanation of(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            Optional<String> known = known(cause);
            if (known.isPresent()) {
                return new Explanation(known.get());
            }
            cause = cause.getCause();
        }
        return new Explanation("something failed on its worker, whose log says what");
    }

    private static Optional<String> known(Throwable cause) {
        if (cause instanceof Problem problem) {
            return Optional.of(problem.getMessage().replaceFirst("\\.$", ""));
        }
        if (cause instanceof MachineFailure failure) {
            return Optional.of(words(failure.reason()));
        }
        if (cause instanceof AgentException failure) {
            return Optional.of("its agent failed: " + failure.code().word());
        }
        if (cause instanceof TimeoutException) {
            return Optional.of("its agent does not answer");
        }
        if (cause instanceof PartException part) {
            return Optional.of("a stored part of the snapshot is " + part.reason());
        }
        if (cause instanceof ManifestException) {
            return Optional.of("the snapshot's manifest cannot be read");
        }
        if (cause instanceof BucketException bucket) {
            return Optional.of(words(bucket.reason()));
        }
        return Optional.ofNullable(cause.getMessage())
                .filter(message -> cause instanceof IOException && message.contains(FULL))
                .map(message -> "the disk of its worker or of the store is full");
    }

    private static String words(BucketException.Reason reason) {
        return switch (reason) {
            case UNREACHABLE -> "the store does not answer; ask again later";
            case BUSY -> "the store has too much to do at once; ask again later";
            case MISSING, DENIED, NO_KEY, OVERWRITES, REFUSED ->
                    "the store refuses it, and the log of its worker says how";
        };
    }

    private static String words(MachineFailure.Reason reason) {
        return switch (reason) {
            case NOT_READY -> "its worker takes no machines now";
            case BUSY -> "its worker has too much to do at once; ask again later";
            case GONE -> "its machine has ended";
            case FILE_GONE ->
                    "a file or directory that its programs had open on a volume is not there any"
                            + " more";
            case NO_SPACE -> "its worker's disk is full";
            case LATE -> "its worker's runtime did not finish in time and was ended";
            case EXISTS, TARGET_UNUSABLE, FAILED ->
                    "its machine failed, and the log of its worker says how";
        };
    }
}
