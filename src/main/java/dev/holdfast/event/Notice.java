package dev.holdfast.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What is to be kept of a transition and told to outsiders.
 *
 * @param subject the ID of what it happened to
 * @param project whose it is; empty for what is the service's own
 * @param details few and short, and never secrets
 */
public record Notice(
        EventType type, String subject, Optional<UUID> project, Map<String, String> details) {
    private static final int MOST_DETAILS = 16;
    private static final int LONGEST_DETAIL = 256;
    private static final int LONGEST_SUBJECT = 200;

    public Notice {
        Objects.requireNonNull(type);
        Objects.requireNonNull(project);
        if (subject.isEmpty() || subject.length() > LONGEST_SUBJECT) {
            throw new IllegalArgumentException("a subject has 1 to 200 characters");
        }
        if (details.size() > MOST_DETAILS) {
            throw new IllegalArgumentException("at most " + MOST_DETAILS + " details");
        }
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    public static Notice of(EventType type, Object subject, UUID project) {
        return new Notice(type, subject.toString(), Optional.of(project), Map.of());
    }

    public static Notice ofService(EventType type, Object subject) {
        return new Notice(type, subject.toString(), Optional.empty(), Map.of());
    }

    /** A detail more, cut where it is too long; null is no detail. */
    public Notice with(String name, Object detail) {
        if (detail == null) {
            return this;
        }
        String text = detail.toString();
        Map<String, String> more = new LinkedHashMap<>(details);
        more.put(name, text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) : text);
        return new Notice(type, subject, project, more);
    }

    public Notice with(String name, Optional<?> detail) {
        return with(name, detail.orElse(null));
    }
}
