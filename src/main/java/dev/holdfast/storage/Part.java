package dev.holdfast.storage;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One file of a snapshot as it lies in the store: what it was ("raw") and what is kept of it
 * ("stored"), each with length and digest, so that damage is found on either side of the
 * compression.
 *
 * @param name the file's name among its snapshot's files
 */
public record Part(
        String name,
        ObjectKey key,
        long rawLength,
        Sha256 rawDigest,
        long storedLength,
        Sha256 storedDigest,
        Compression compression) {

    /** How the stored bytes make the raw bytes; the word is what manifests carry. */
    public enum Compression {
        NONE("none"),
        ZSTD("zstd");

        private final String word;

        Compression(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        public static Compression of(String word) {
            for (Compression each : values()) {
                if (each.word.equals(word)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("unknown compression");
        }
    }

    private static final Pattern NAME = Pattern.compile("[a-z0-9_-][a-z0-9._-]{0,63}");

    public Part {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(rawDigest, "rawDigest");
        Objects.requireNonNull(storedDigest, "storedDigest");
        Objects.requireNonNull(compression, "compression");
        if (!NAME.matcher(Objects.requireNonNull(name, "name")).matches()) {
            throw new IllegalArgumentException("not a part name");
        }
        if (rawLength < 0 || storedLength < 0) {
            throw new IllegalArgumentException("a part has no negative length");
        }
        if (compression == Compression.NONE
                && (rawLength != storedLength || !rawDigest.equals(storedDigest))) {
            throw new IllegalArgumentException("an uncompressed part is stored as it is");
        }
    }
}
