package dev.holdfast.access;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a caller may do. The words are API and stand in the database. */
public enum Permission {
    /** List and see snapshots. */
    SNAPSHOTS_READ(Word.SNAPSHOTS_READ),
    /** Create, run and capture sandboxes; with {@link #SNAPSHOTS_READ} also restore and load. */
    SANDBOXES_USE(Word.SANDBOXES_USE),
    /** Delete snapshots, end others' sandboxes, volumes. */
    SANDBOXES_MANAGE(Word.SANDBOXES_MANAGE),
    /** Keys, audit and policies of the project. */
    PROJECT_ADMIN(Word.PROJECT_ADMIN),
    /** Projects, limits and jobs; on keys without a project. */
    SERVICE_ADMIN(Word.SERVICE_ADMIN);

    /** The same words as constants, for annotations. */
    public static final class Word {
        public static final String SNAPSHOTS_READ = "snapshots:read";
        public static final String SANDBOXES_USE = "sandboxes:use";
        public static final String SANDBOXES_MANAGE = "sandboxes:manage";
        public static final String PROJECT_ADMIN = "project:admin";
        public static final String SERVICE_ADMIN = "service:admin";

        private Word() {}
    }

    private final String word;

    Permission(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public static Optional<Permission> of(String word) {
        return Arrays.stream(values()).filter(p -> p.word.equals(word)).findFirst();
    }

    /** All that mean something inside one project. */
    public static Set<Permission> ofProject() {
        return Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(SERVICE_ADMIN)));
    }
}
