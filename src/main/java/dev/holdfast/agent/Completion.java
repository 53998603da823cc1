package dev.holdfast.agent;

import java.util.List;

/**
 * What may stand at a place of code.
 *
 * @param from where what is replaced begins, and {@code to} where it ends, in characters
 */
public record Completion(List<String> matches, int from, int to) {

    private static final int MOST = 500;

    public Completion {
        matches = List.copyOf(matches);
    }

    static Completion of(Members members) {
        var matches = members.texts("matches");
        return new Completion(
                matches.subList(0, Math.min(MOST, matches.size())),
                place(members, "from"),
                place(members, "to"));
    }

    private static int place(Members members, String name) {
        return (int) Math.max(0, Math.min(ExecutionOrder.LONGEST, members.number(name, 0)));
    }
}
