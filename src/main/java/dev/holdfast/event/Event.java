package dev.holdfast.event;

import java.util.List;
import java.util.Objects;

/**
 * One transition: a hint for whoever waits, and what is kept of it.
 *
 * @param subject what it happened to, as {@code sandbox:ID}, {@code snapshot:ID}, {@code
 *     project:ID}, {@code volume:ID}, {@code worker:ID} or {@code capture:UPLOADID}
 * @param state the state it has now
 * @param notices for outsiders, in order; none for what only this system's own parts need to know
 */
public record Event(String subject, String state, List<Notice> notices) {

    public Event {
        Objects.requireNonNull(subject);
        Objects.requireNonNull(state);
        notices = List.copyOf(notices);
        if (subject.length() > 200 || subject.indexOf(':') < 1) {
            throw new IllegalArgumentException("a subject is KIND:ID, at most 200 characters");
        }
    }

    /** A hint of which nothing is kept. */
    public Event(String subject, String state) {
        this(subject, state, List.of());
    }

    public Event(String subject, String state, Notice notice) {
        this(subject, state, List.of(notice));
    }

    public static String sandbox(Object id) {
        return "sandbox:" + id;
    }

    public static String snapshot(Object id) {
        return "snapshot:" + id;
    }

    public static String project(Object id) {
        return "project:" + id;
    }

    public static String capture(Object uploadId) {
        return "capture:" + uploadId;
    }

    public static String job(Object execution) {
        return "job:" + execution;
    }
}
