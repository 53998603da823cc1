package dev.holdfast.storage;

import jakarta.json.JsonObject;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was changed of a snapshot after its manifest was written. Each one says all of it, so the
 * one with the highest number stands alone.
 *
 * @param number counts the changes of this snapshot, from 1; of two amendments the higher holds
 * @param facts as the room that keeps the catalogue wrote them; what they do not say is as the
 *     manifest has it
 */
public record Amendment(UUID snapshotId, long number, JsonObject facts) {

    /** The version this build writes, and the only one it reads. */
    public static final int VERSION = 1;

    private static final String PREFIX = "amendment-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "([1-9][0-9]{0,17})\\.json");

    public Amendment {
        Objects.requireNonNull(snapshotId, "snapshotId");
        Objects.requireNonNull(facts, "facts");
        key(snapshotId, number);
    }

    public ObjectKey key() {
        return key(snapshotId, number);
    }

    /** What the keys of all amendments of a snapshot begin with. */
    static String prefix(UUID snapshotId) {
        return ObjectKey.snapshotPrefix(snapshotId) + PREFIX;
    }

    /** The number of the amendment that has this key; empty for any other object. */
    static OptionalLong number(ObjectKey key) {
        Matcher name = NAME.matcher(key.value().substring(key.value().lastIndexOf('/') + 1));
        return name.matches()
                ? OptionalLong.of(Long.parseLong(name.group(1)))
                : OptionalLong.empty();
    }

    static ObjectKey key(UUID snapshotId, long number) {
        String name = PREFIX + number + ".json";
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("an amendment's number is 1 to 10^18");
        }
        return ObjectKey.ofSnapshot(snapshotId, name);
    }
}
