package dev.holdfast.inventory;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The reasons of a verdict, for who looks for snapshots by it. */
public enum Restorability {
    RESTORABLE,
    /** Restorable by all that is known, and the last restore failed all the same. */
    RESTORE_FAILED,
    EXPIRED,
    NOT_SAVED,
    MISSING_PART,
    CORRUPT_PART,
    INCOMPATIBLE_RUNTIME,
    VOLUME_DELETED,
    VOLUME_ELSEWHERE,
    NO_WORKER;

    /** Those that say yes. */
    public static final Set<Restorability> YES = Set.copyOf(EnumSet.of(RESTORABLE, RESTORE_FAILED));

    public static final Set<Restorability> NO =
            Set.copyOf(EnumSet.complementOf(EnumSet.copyOf(YES)));

    /** As the verdict has it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Restorability> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }

    /** For people. */
    public static String words() {
        return Arrays.stream(values()).map(Restorability::word).collect(Collectors.joining(", "));
    }
}
