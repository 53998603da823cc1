package dev.holdfast.agent;

import java.util.regex.Pattern;

/** Names a context of a sandbox; those that are always there have their language's name. */
public record ContextId(String value) {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public ContextId {
        if (!isWellFormed(value)) {
            throw new IllegalArgumentException("a context's ID is 1 to 64 of A-Z a-z 0-9 _ -");
        }
    }

    public static boolean isWellFormed(String text) {
        return FORM.matcher(text).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
