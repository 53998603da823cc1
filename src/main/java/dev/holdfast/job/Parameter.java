package dev.holdfast.job;

import dev.holdfast.problem.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What an execution of a job may be told.
 *
 * @param preset what holds unless something is said; null: nothing does
 */
public record Parameter(String name, Kind kind, String preset, String summary) {

    /** What its text has to be. */
    public enum Kind {
        FLAG("true or false"),
        COUNT("a whole number from 1 to 999999999999999"),
        /** A chunk is one transaction, and holds the locks of its rows as long. */
        CHUNK("a whole number from 1 to 1000"),
        DURATION("whole seconds or an ISO 8601 duration such as PT1H or P7D, at most P3650D"),
        PROJECT("the ID of a project, a UUID");

        private final String allowed;

        Kind(String allowed) {
            this.allowed = allowed;
        }
    }

    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final int LARGEST_CHUNK = 1000;

    static final Parameter DRY_RUN =
            new Parameter("dryRun", Kind.FLAG, "false", "change nothing, say what would be done");
    static final Parameter PROJECT =
            new Parameter("project", Kind.PROJECT, null, "only what belongs to this project");
    static final Parameter CHUNK_SIZE =
            new Parameter("chunkSize", Kind.CHUNK, "100", "how many items a transaction has");

    public Parameter {
        Objects.requireNonNull(name);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(summary);
        if (preset != null && !isAllowed(kind, preset)) {
            throw new IllegalArgumentException(name + " is " + kind.allowed + ", not " + preset);
        }
    }

    static Parameter olderThan(String preset, String summary) {
        return new Parameter("olderThan", Kind.DURATION, preset, summary);
    }

    public Optional<String> presetting() {
        return Optional.ofNullable(preset);
    }

    /** What it may be, in words. */
    public String allowed() {
        return kind.allowed;
    }

    /**
     * @throws Problem {@code invalid_parameter}, saying what is allowed
     */
    void require(String text) {
        if (!isAllowed(kind, text)) {
            throw Problem.invalid(
                    name, "\"" + name + "\" is " + kind.allowed + ", not \"" + shown(text) + "\".");
        }
    }

    /** Seconds, or as ISO 8601 has it. */
    static Duration duration(String text) {
        return text.matches("\\d{1,12}")
                ? Duration.ofSeconds(Long.parseLong(text))
                : Duration.parse(text);
    }

    private static boolean isAllowed(Kind kind, String text) {
        return switch (kind) {
            case FLAG -> text.equals("true") || text.equals("false");
            case COUNT -> text.matches("[1-9]\\d{0,14}");
            case CHUNK -> text.matches("[1-9]\\d{0,3}") && Integer.parseInt(text) <= LARGEST_CHUNK;
            case DURATION -> isDuration(text);
            case PROJECT -> isProject(text);
        };
    }

    private static boolean isDuration(String text) {
        try {
            Duration span = duration(text);
            return !span.isNegative() && span.compareTo(LONGEST) <= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isProject(String text) {
        try {
            return UUID.fromString(text).toString().equalsIgnoreCase(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String shown(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }
}
