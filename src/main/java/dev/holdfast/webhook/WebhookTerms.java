package dev.holdfast.webhook;

import dev.holdfast.event.EventType;
import dev.holdfast.problem.Problem;
import java.util.Arrays;
import java.util.List;

/**
 * Where an endpoint is and what it wants to hear of.
 *
 * @param types the words of event types; none: of all
 */
public record WebhookTerms(Destination destination, List<String> types) {
    private static final int MOST = EventType.values().length;

    public WebhookTerms {
        types = types.stream().distinct().sorted().toList();
    }

    /**
     * @throws Problem {@code invalid_parameter} for a word that no event has
     */
    public static WebhookTerms asked(String url, List<String> types) {
        if (types.size() > MOST) {
            throw Problem.invalid("types", "\"types\" has at most " + MOST + " types.");
        }
        for (String type : types) {
            if (EventType.of(type).isEmpty()) {
                throw Problem.invalid(
                        "types",
                        "\"types\" are types of events such as snapshot.saved; there is no \""
                                + type.substring(0, Math.min(type.length(), 64))
                                + "\".");
            }
        }
        return new WebhookTerms(Destination.of(url), types);
    }

    /** As they were kept, perhaps by a newer build. */
    static WebhookTerms of(String url, String types) {
        return new WebhookTerms(
                Destination.of(url),
                Arrays.stream(types.split(" ")).filter(each -> !each.isEmpty()).toList());
    }

    String text() {
        return String.join(" ", types);
    }
}
