package dev.holdfast.access;

import java.util.Objects;
import java.util.UUID;

/**
 * Who acted. Its text is stored on every row it made and never changes its form: {@code
 * key:<uuid>}, {@code person:<subject>} or {@code system}.
 *
 * @param subject the key's id or the person's subject; empty for the system
 */
public record Principal(Kind kind, String subject) implements java.security.Principal {
    /** The words before the colon. */
    public enum Kind {
        KEY("key"),
        PERSON("person"),
        SYSTEM("system");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private static final int LONGEST_SUBJECT = 255;
    private static final Principal SYSTEM = new Principal(Kind.SYSTEM, "");

    public Principal {
        Objects.requireNonNull(kind, "kind");
        if (kind == Kind.SYSTEM != subject.isEmpty()) {
            throw new IllegalArgumentException("Keys and persons have a subject, the system none");
        }
        if (subject.length() > LONGEST_SUBJECT
                || subject.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "A subject has at most 255 characters, no control characters");
        }
        if (kind == Kind.KEY) {
            subject = UUID.fromString(subject).toString();
        }
    }

    public static Principal key(ApiKeyId id) {
        return new Principal(Kind.KEY, id.toString());
    }

    public static Principal person(String subject) {
        return new Principal(Kind.PERSON, subject);
    }

    public static Principal system() {
        return SYSTEM;
    }

    /** Reads the stored text. */
    public static Principal parse(String text) {
        for (var kind : Kind.values()) {
            if (kind == Kind.SYSTEM ? text.equals(kind.word) : text.startsWith(kind.word + ":")) {
                return new Principal(
                        kind, kind == Kind.SYSTEM ? "" : text.substring(kind.word.length() + 1));
            }
        }
        throw new IllegalArgumentException("Not a principal: " + text);
    }

    /** The stored text; also the name the container knows the caller by. */
    public String text() {
        return kind == Kind.SYSTEM ? kind.word : kind.word + ":" + subject;
    }

    @Override
    public String getName() {
        return text();
    }

    @Override
    public String toString() {
        return text();
    }
}
