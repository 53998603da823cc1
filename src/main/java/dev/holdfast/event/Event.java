package dev.holdfast.event;

import java.util.Objects;

/**
 * One transition.
 *
 * @param subject what it happened to, as {@code sandbox:ID}, {@code snapshot:ID}, {@code
 *     project:ID} or {@code capture:UPLOADID}
 * @param state the state it has now
 */
public record Event(String subject, String state) {

    public Event {
        Objects.requireNonNull(subject);
        Objects.requireNonNull(state);
        if (subject.length() > 200 || subject.indexOf(':') < 1) {
            throw new IllegalArgumentException("a subject is KIND:ID, at most 200 characters");
        }
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
}
