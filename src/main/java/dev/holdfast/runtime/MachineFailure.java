package dev.holdfast.runtime;

/** An operation that did not happen; whatever it had begun to make is gone or will be removed. */
public class MachineFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What a caller can act on; the message is for people. */
    public enum Reason {
        /** This host cannot take machines; the message names what is missing. */
        NOT_READY,
        /** Too many operations at once; nothing was begun. */
        BUSY,
        /** No such machine here, or it ended meanwhile. */
        GONE,
        /** That machine ID is in use. */
        EXISTS,
        /** The checkpoint's directory exists, or its parent does not. */
        TARGET_UNUSABLE,
        /** The file system of the checkpoint is full. */
        NO_SPACE,
        /** runsc did not finish by its deadline and was ended. */
        LATE,
        /** What was open on a directory of the host's when it was saved is not there any more. */
        FILE_GONE,
        /** runsc or another program said no; the message carries its words. */
        FAILED
    }

    private final Reason reason;

    public MachineFailure(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public MachineFailure(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
