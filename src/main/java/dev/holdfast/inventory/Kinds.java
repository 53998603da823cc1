package dev.holdfast.inventory;

import java.util.List;
import java.util.Map;

/**
 * What the snapshots of a project need of a worker, each once, and whether that is to be had.
 *
 * @param answers {@code RESTORABLE}, {@code INCOMPATIBLE_RUNTIME} or {@code NO_WORKER}
 */
record Kinds(Map<String, Restorability> answers) {

    static final Kinds NOT_ASKED = new Kinds(Map.of());

    Kinds {
        answers = Map.copyOf(answers);
    }

    List<String> of(Restorability wanted) {
        return answers.entrySet().stream()
                .filter(each -> each.getValue() == wanted)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
