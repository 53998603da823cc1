package dev.holdfast.api;

import dev.holdfast.workbench.Suggestions;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What may stand at a place of code, at most 200.
 *
 * @param from where what is replaced begins, and {@code to} where it ends, in code points
 */
@Schema(
        name = "Completion",
        requiredProperties = {"matches", "from", "to"})
public record CompletionView(List<String> matches, int from, int to) {

    static CompletionView of(Suggestions suggestions) {
        return new CompletionView(suggestions.matches(), suggestions.from(), suggestions.to());
    }
}
