package dev.holdfast.inventory;

import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotName;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** By what a list is ordered. Each key is a column of its index. */
public enum Sort {
    CREATED("created", "s.created_at", "timestamptz", true) {
        @Override
        String keyOf(Snapshot snapshot) {
            return snapshot.createdAt().toString();
        }
    },
    /** Stored bytes; an upload has none yet. */
    SIZE("size", "s.list_size", "bigint", true) {
        @Override
        String keyOf(Snapshot snapshot) {
            return Long.toString(snapshot.storedBytes());
        }
    },
    EXPIRY("expiry", "s.list_expiry", "timestamptz", false) {
        @Override
        String keyOf(Snapshot snapshot) {
            return snapshot.expiresAt().map(Instant::toString).orElse(NEVER);
        }
    },
    /** The name it has or had. */
    NAME("name", "s.list_name", "text", false) {
        @Override
        String keyOf(Snapshot snapshot) {
            return snapshot.everNamed().map(SnapshotName::toString).orElse(UNNAMED);
        }
    };

    private static final String NEVER = "infinity";

    /** Behind every name. */
    private static final String UNNAMED = "~";

    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");
    private static final Pattern BYTES = Pattern.compile("\\d{1,18}");
    private static final Pattern NAMED = Pattern.compile("[a-z0-9_-]{1,128}:[a-z0-9_.-]{1,128}");

    private final String word;
    private final String key;
    private final String type;
    private final boolean downwards;

    Sort(String word, String key, String type, boolean downwards) {
        this.word = word;
        this.key = key;
        this.type = type;
        this.downwards = downwards;
    }

    public static Optional<Sort> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    public String word() {
        return word;
    }

    /** The direction that people mean who name none. */
    public boolean isDownwards() {
        return downwards;
    }

    abstract String keyOf(Snapshot snapshot);

    String key() {
        return key;
    }

    String cast(String parameter) {
        return "cast(" + parameter + " as " + type + ")";
    }

    boolean isKey(String text) {
        return switch (this) {
            case CREATED -> isMoment(text);
            case EXPIRY -> text.equals(NEVER) || isMoment(text);
            case SIZE -> BYTES.matcher(text).matches();
            case NAME -> text.equals(UNNAMED) || NAMED.matcher(text).matches();
        };
    }

    private static boolean isMoment(String text) {
        try {
            Instant moment = Instant.parse(text);
            return moment.isAfter(Instant.EPOCH) && moment.isBefore(FAR);
        } catch (DateTimeException e) {
            return false;
        }
    }
}
