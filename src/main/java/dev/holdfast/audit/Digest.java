package dev.holdfast.audit;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/** A SHA-256 hash. */
public record Digest(byte[] bytes) {
    private static final int LENGTH = 32;

    /** What the first entry of a chain names as the hash before it. */
    static final Digest NONE = new Digest(new byte[LENGTH]);

    public Digest {
        Objects.requireNonNull(bytes);
        bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    static Digest of(byte[]... pieces) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (byte[] piece : pieces) {
                sha.update(piece);
            }
            return new Digest(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Digest digest && Arrays.equals(bytes, digest.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** 64 lower-case hex digits, unless somebody has put something else into the database. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
