package dev.holdfast.inventory;

import dev.holdfast.access.Slug;
import dev.holdfast.problem.Problem;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What somebody looks for among IDs and names.
 *
 * @param text in lower case
 */
public record Search(String text) {

    public static final int LEAST = 3;
    private static final int MOST = 400;

    /** Whatever else is in it, it is in no ID and in no name. */
    private static final Pattern POSSIBLE = Pattern.compile("[a-z0-9_.:-]+");

    /**
     * @throws Problem {@code invalid_parameter} for one that is too short or too long
     */
    public Search {
        text = text.strip().toLowerCase(Locale.ROOT);
        int length = text.codePointCount(0, text.length());
        if (length < LEAST || length > MOST) {
            throw Problem.invalid(
                    "search",
                    "\"search\" is part of an ID or of a name, from "
                            + LEAST
                            + " to "
                            + MOST
                            + " characters. Give more of it, or leave it out.");
        }
    }

    /**
     * What the searched text of a snapshot holds if it is found; empty when none can be. A blank
     * stands before a name.
     */
    Optional<String> within(Optional<Slug> slug) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Optional.of(text).filter(part -> POSSIBLE.matcher(part).matches());
        }
        String team = text.substring(0, slash);
        String name = text.substring(slash + 1);
        return slug.map(Slug::value)
                .filter(own -> own.endsWith(team))
                .filter(own -> name.isEmpty() || POSSIBLE.matcher(name).matches())
                .map(own -> " " + name);
    }

    /** As the database's function of this name has it. */
    static String encoded(String part) {
        return part.replace("z", "zz")
                .replace("-", "zq")
                .replace("_", "zw")
                .replace(".", "zx")
                .replace(":", "zk")
                .replace(" ", "zj");
    }
}
