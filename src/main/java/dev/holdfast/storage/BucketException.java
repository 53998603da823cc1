package dev.holdfast.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Locale;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;

/** The bucket did not do what was asked of it, however often. The object may be as it was. */
public final class BucketException extends IOException {

    private static final long serialVersionUID = 1L;

    /** What is wrong, in the words that an operator reads. */
    public enum Reason {
        MISSING("does not exist"),
        DENIED("denies it"),
        NO_KEY("was not asked, because nobody gave a key to it"),
        UNREACHABLE("does not answer in time"),
        BUSY("has too much to do at once"),
        OVERWRITES("lets objects be overwritten: it does not heed If-None-Match"),
        REFUSED("refuses it");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        /** Stable, for logs and figures. */
        public String word() {
            return "bucket_" + name().toLowerCase(Locale.ROOT);
        }
    }

    /** Causes may form a ring. */
    private static final int DEEPEST_CAUSE = 16;

    private final Reason reason;

    BucketException(String bucket, Reason reason, String detail, Throwable cause) {
        super(
                "the bucket "
                        + bucket
                        + " "
                        + reason.words
                        + (detail.isEmpty() ? "" : ": ")
                        + detail,
                cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** What a failure of the client's means; somebody's wish to stop stays one. */
    static IOException of(String bucket, SdkException failure) {
        if (failure instanceof AbortedException) {
            InterruptedIOException stopped = new InterruptedIOException("interrupted");
            stopped.initCause(failure);
            return stopped;
        }
        if (failure instanceof AwsServiceException refusal) {
            return new BucketException(bucket, reason(refusal), code(refusal), failure);
        }
        // The client has no exception of its own for this.
        boolean keyless = String.valueOf(failure.getMessage()).contains("load credentials");
        return keyless
                ? new BucketException(bucket, Reason.NO_KEY, "", failure)
                : new BucketException(bucket, Reason.UNREACHABLE, innermost(failure), failure);
    }

    /** The server's own word for what it refused; a status where it has none. */
    static String code(AwsServiceException refusal) {
        AwsErrorDetails details = refusal.awsErrorDetails();
        return details == null || details.errorCode() == null || details.errorCode().isEmpty()
                ? "status " + refusal.statusCode()
                : details.errorCode();
    }

    private static Reason reason(AwsServiceException refusal) {
        if (code(refusal).equals("NoSuchBucket")) {
            return Reason.MISSING;
        }
        return switch (refusal.statusCode()) {
            case 401, 403 -> Reason.DENIED;
            case 429, 503 -> Reason.BUSY;
            case 500, 502, 504 -> Reason.UNREACHABLE;
            default -> Reason.REFUSED;
        };
    }

    private static String innermost(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause.getCause() != null && depth < DEEPEST_CAUSE; depth++) {
            cause = cause.getCause();
        }
        return cause.toString();
    }
}
