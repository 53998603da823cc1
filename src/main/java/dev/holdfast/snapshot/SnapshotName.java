package dev.holdfast.snapshot;

import dev.holdfast.access.Slug;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** The name of a snapshot within its project; the qualified form is made when it is read. */
public record SnapshotName(String shortName, String tag) {

    public static final String DEFAULT_TAG = "default";

    private static final Pattern SHORT = Pattern.compile("[a-z0-9_-]{1,128}");
    private static final Pattern TAG = Pattern.compile("[a-z0-9_.-]{1,128}");
    private static final String GRAMMAR =
            "A name is [team/]short[:tag], with team and short made of [a-z0-9_-] and tag of"
                    + " [a-z0-9_.-], each at most 128 characters.";

    public SnapshotName {
        Objects.requireNonNull(shortName);
        Objects.requireNonNull(tag);
        if (!SHORT.matcher(shortName).matches() || !TAG.matcher(tag).matches()) {
            throw new Problem(Reason.MALFORMED_NAME, GRAMMAR);
        }
    }

    /** A name as somebody wrote it: perhaps with its team before it, perhaps without a tag. */
    public record Written(Optional<String> slug, String shortName, Optional<String> tag) {

        public SnapshotName name() {
            return new SnapshotName(shortName, tag.orElse(DEFAULT_TAG));
        }

        /**
         * @throws Problem {@code malformed_name} when it names another project
         */
        public void requireOwn(Optional<Slug> own) {
            if (slug.isPresent() && !slug.equals(own.map(Slug::value))) {
                throw new Problem(
                        Reason.MALFORMED_NAME,
                        "\"" + slug.get() + "\" is not this project's slug. Leave it out.");
            }
        }
    }

    /**
     * Reads {@code [slug/]short[:tag]}, trimmed and in lower case.
     *
     * @throws Problem with the given reason when the text has another form
     */
    public static Written parse(String text, Reason malformed) {
        String written = text.strip().toLowerCase(Locale.ROOT);
        int slash = written.indexOf('/');
        Optional<String> slug =
                slash < 0 ? Optional.empty() : Optional.of(written.substring(0, slash));
        String rest = written.substring(slash + 1);
        int colon = rest.indexOf(':');
        String shortName = colon < 0 ? rest : rest.substring(0, colon);
        Optional<String> tag =
                colon < 0 ? Optional.empty() : Optional.of(rest.substring(colon + 1));
        boolean wellFormed =
                SHORT.matcher(shortName).matches()
                        && slug.map(s -> SHORT.matcher(s).matches()).orElse(true)
                        && tag.map(t -> TAG.matcher(t).matches()).orElse(true);
        if (!wellFormed) {
            throw new Problem(malformed, "\"" + shown(text) + "\" is not well formed. " + GRAMMAR);
        }
        return new Written(slug, shortName, tag);
    }

    /**
     * Reads the name that a new snapshot is to have.
     *
     * @param slug that of the project, which the text may repeat
     * @throws Problem {@code malformed_name}, or {@code project_unnamed} for a project without slug
     */
    public static SnapshotName own(String text, Optional<Slug> slug) {
        Written written = parse(text, Reason.MALFORMED_NAME);
        if (slug.isEmpty()) {
            throw new Problem(
                    Reason.PROJECT_UNNAMED,
                    "This project has no slug, so its snapshots cannot have names. Leave the name"
                            + " out, or have the project given a slug.");
        }
        written.requireOwn(slug);
        return written.name();
    }

    /** {@code slug/short:tag}. */
    public String qualified(String slug) {
        return slug + "/" + shortName + ":" + tag;
    }

    private static String shown(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }

    @Override
    public String toString() {
        return shortName + ":" + tag;
    }
}
