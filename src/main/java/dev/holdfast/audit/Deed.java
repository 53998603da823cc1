package dev.holdfast.audit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * An act to be told of. The details are few and short, and never hold secrets or bodies of
 * requests.
 *
 * <pre>{@code
 * audit.done(Deed.of(Action.SNAPSHOT_DELETE, Subject.snapshot(id)).in(project).with("name", name));
 * }</pre>
 */
public final class Deed {
    private static final int MOST_DETAILS = 16;
    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_DETAIL = 256;
    private static final int LONGEST_PRINCIPAL = 300;

    private final Action action;
    private final Subject subject;
    private final UUID project;
    private final String principal;
    private final Map<String, String> details;

    private Deed(
            Action action,
            Subject subject,
            UUID project,
            String principal,
            Map<String, String> details) {
        this.action = Objects.requireNonNull(action);
        this.subject = Objects.requireNonNull(subject);
        this.project = project;
        this.principal = Bounded.text(principal, LONGEST_PRINCIPAL);
        this.details = Collections.unmodifiableMap(details);
    }

    /** By whoever asks on this thread, else by the system; the service's own until {@link #in}. */
    public static Deed of(Action action, Subject subject) {
        return new Deed(action, subject, null, null, Map.of());
    }

    /** Of a project. */
    public Deed in(UUID project) {
        return new Deed(action, subject, project, principal, details);
    }

    /**
     * By somebody who is not who asks on this thread.
     *
     * @param principal the text of a principal
     */
    public Deed by(String principal) {
        return new Deed(action, subject, project, principal, details);
    }

    /** A detail for people, cut where it is too long; null is no detail. */
    public Deed with(String name, Object detail) {
        if (detail == null || details.size() == MOST_DETAILS) {
            return this;
        }
        Map<String, String> more = new LinkedHashMap<>(details);
        more.put(Bounded.text(name, LONGEST_NAME), Bounded.text(detail.toString(), LONGEST_DETAIL));
        return new Deed(action, subject, project, principal, more);
    }

    Action action() {
        return action;
    }

    Subject subject() {
        return subject;
    }

    Optional<UUID> project() {
        return Optional.ofNullable(project);
    }

    Optional<String> principal() {
        return Optional.ofNullable(principal);
    }

    Map<String, String> details() {
        return details;
    }
}
