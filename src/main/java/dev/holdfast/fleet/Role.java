package dev.holdfast.fleet;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

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
     * The roles that a setting names.
     *
     * @throws IllegalArgumentException in words, for what is none and for none at all
     */
    static Set<Role> of(List<String> words) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String each : words) {
            roles.add(of(each.strip()));
        }
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("holdfast.roles names none of " + known());
        }
        return roles;
    }

    private static Role of(String word) {
        return Arrays.stream(values())
                .filter(role -> role.word().equals(word))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "holdfast.roles names \""
                                                + word
                                                + "\"; a node has the roles "
                                                + known()
                                                + ", or one of them"));
    }

    private static String known() {
        return Arrays.stream(values()).map(Role::word).collect(Collectors.joining(", "));
    }
}
