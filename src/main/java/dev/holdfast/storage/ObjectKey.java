package dev.holdfast.storage;

import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Where an object lies in the store: segments of {@code [a-z0-9._-]} joined by slashes.
 *
 * <p>No segment begins with a dot. That rules out {@code .} and {@code ..}, and it leaves every
 * dotted name free for what a store keeps for itself (uploads in progress), so that a key can never
 * name one.
 */
public record ObjectKey(String value) implements Comparable<ObjectKey> {

    private static final int MAX_LENGTH = 512;
    private static final int MAX_SEGMENT = 160;
    private static final Pattern SHAPE =
            Pattern.compile("[a-z0-9_-][a-z0-9._-]*(/[a-z0-9_-][a-z0-9._-]*){0,7}");

    public ObjectKey {
        Objects.requireNonNull(value, "value");
        if (value.length() > MAX_LENGTH || !SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("not an object key");
        }
        for (String segment : value.split("/")) {
            if (segment.length() > MAX_SEGMENT) {
                throw new IllegalArgumentException("object key has a segment that is too long");
            }
        }
    }

    /** An object of one snapshot; everything a snapshot owns lies below this prefix. */
    public static ObjectKey ofSnapshot(UUID snapshotId, String name) {
        return new ObjectKey(snapshotPrefix(snapshotId) + name);
    }

    public static String snapshotPrefix(UUID snapshotId) {
        return "snapshots/" + snapshotId + "/";
    }

    static boolean isKey(String candidate) {
        try {
            new ObjectKey(candidate);
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    /** Refuses what no key could begin with, such as a way out of the store. */
    static void expectBeginning(String prefix) {
        int slash = prefix.lastIndexOf('/');
        if (slash >= 0 && !isKey(prefix.substring(0, slash))) {
            throw new IllegalArgumentException("not the beginning of an object key");
        }
    }

    @Override
    public int compareTo(ObjectKey other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
