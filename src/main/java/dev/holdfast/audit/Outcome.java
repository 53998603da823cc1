package dev.holdfast.audit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What came of it; all but the first have a reason. */
public enum Outcome {
    DONE,
    REFUSED,
    FAILED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Outcome> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}
