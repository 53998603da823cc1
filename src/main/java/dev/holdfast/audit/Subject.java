package dev.holdfast.audit;

import java.util.Objects;

/**
 * What an act was about.
 *
 * @param type a word like {@code sandbox}
 * @param id its ID; of something that was only asked for, what the caller called it
 */
public record Subject(String type, String id) {
    private static final int LONGEST_TYPE = 32;
    private static final int LONGEST_ID = 256;

    public Subject {
        type = Bounded.text(Objects.requireNonNull(type), LONGEST_TYPE);
        id = Bounded.text(Objects.requireNonNull(id), LONGEST_ID);
    }

    public static Subject sandbox(Object id) {
        return new Subject("sandbox", id.toString());
    }

    public static Subject snapshot(Object id) {
        return new Subject("snapshot", id.toString());
    }

    public static Subject template(Object id) {
        return new Subject("template", id.toString());
    }

    public static Subject project(Object id) {
        return new Subject("project", id.toString());
    }

    public static Subject key(Object id) {
        return new Subject("key", id.toString());
    }
}
