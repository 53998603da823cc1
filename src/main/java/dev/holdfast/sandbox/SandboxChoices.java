package dev.holdfast.sandbox;

import dev.holdfast.problem.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * What a caller may choose for a sandbox, fresh or restored.
 *
 * @param lifetime until it ends by timeout
 * @param secured whether the data plane demands the access token
 * @param network what it may reach and who may reach its ports
 * @param lifecycle what happens to it by itself
 * @param metadata the caller's own labels, at most 64 of them and 16 KiB in all
 */
public record SandboxChoices(
        Duration lifetime,
        boolean secured,
        NetworkPolicy network,
        Lifecycle lifecycle,
        Map<String, String> metadata) {

    private static final int MOST_LABELS = 64;
    private static final int MOST_CHARACTERS = 16 * 1024;

    public SandboxChoices {
        if (lifetime.toSeconds() < 1) {
            throw invalid("timeout", "is a positive number of seconds");
        }
        if (!network.publicTraffic() && !secured) {
            throw invalid("network.allowPublicTraffic", "can be false only with secure");
        }
        Objects.requireNonNull(lifecycle);
        metadata = bounded("metadata", metadata);
    }

    /** A map that a caller sent, refused when too large or holding what no database text can. */
    public static Map<String, String> bounded(String member, Map<String, String> map) {
        if (map == null) {
            return Map.of();
        }
        long characters = 0;
        for (Map.Entry<String, String> entry : map.entrySet()) {
            if (entry.getValue() == null) {
                throw invalid(
                        member, "has only texts as values; \"" + entry.getKey() + "\" has none");
            }
            if (entry.getKey().indexOf('\0') >= 0 || entry.getValue().indexOf('\0') >= 0) {
                throw invalid(member, "must not hold the character NUL");
            }
            characters += entry.getKey().length() + entry.getValue().length();
        }
        if (map.size() > MOST_LABELS || characters > MOST_CHARACTERS) {
            throw invalid(
                    member,
                    "has at most "
                            + MOST_LABELS
                            + " entries and "
                            + MOST_CHARACTERS
                            + " characters");
        }
        return Map.copyOf(map);
    }

    private static Problem invalid(String member, String rule) {
        return Problem.invalid(member, "\"" + member + "\" " + rule + ".");
    }
}
