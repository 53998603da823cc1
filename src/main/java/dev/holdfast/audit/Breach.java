package dev.holdfast.audit;

import java.util.Objects;

/**
 * The first place at which a chain is not what it was.
 *
 * @param reason {@code audit_changed}, {@code audit_missing}, {@code audit_unlinked}, {@code
 *     audit_backdated} or {@code audit_rewritten}
 */
public record Breach(long position, String reason) {

    /** An entry is not what was hashed, or does not stand where it stood. */
    public static final String CHANGED = "audit_changed";

    /** One is gone from the middle or the end. */
    public static final String MISSING = "audit_missing";

    /** An entry has no place in any chain. */
    public static final String UNLINKED = "audit_unlinked";

    /**
     * One came in long after it claims to have been written. It was put in, or its transaction was
     * in doubt for so long.
     */
    public static final String BACKDATED = "audit_backdated";

    /** The chain fits together, and is another than the one that was verified before. */
    public static final String REWRITTEN = "audit_rewritten";

    public Breach {
        Objects.requireNonNull(reason);
    }
}
