package dev.holdfast.workbench;

import dev.holdfast.agent.Completion;
import java.util.List;

/**
 * What may stand at a place of code.
 *
 * @param from where what is replaced begins, and {@code to} where it ends, in code points
 */
public record Suggestions(List<String> matches, int from, int to) {

    private static final int MOST = 200;
    private static final int LONGEST = 200;

    static Suggestions of(Completion completion) {
        return new Suggestions(
                completion.matches().stream()
                        .filter(each -> each.length() <= LONGEST)
                        .limit(MOST)
                        .toList(),
                completion.from(),
                completion.to());
    }
}
