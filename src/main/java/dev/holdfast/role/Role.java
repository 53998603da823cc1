package dev.holdfast.role;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a node is there for. */
public enum Role {
    /** Answers for any sandbox, and does what has to be done from time to time. */
    CONTROL,
    /** Runs sandboxes. */
    WORKER;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The roles that a setting names. It is read by the server's own configuration too, which knows
     * one spelling of each choice.
     *
     * @throws IllegalArgumentException in words, for anything else
     */
    static Set<Role> of(String words) {
        return switch (words) {
            case "control,worker" -> EnumSet.allOf(Role.class);
            case "control" -> EnumSet.of(CONTROL);
            case "worker" -> EnumSet.of(WORKER);
            default ->
                    throw new IllegalArgumentException(
                            "holdfast.roles is \"control\", \"worker\" or \"control,worker\", not"
                                    + " \""
                                    + words
                                    + "\"");
        };
    }
}
