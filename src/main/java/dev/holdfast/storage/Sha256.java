package dev.holdfast.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;

/** A SHA-256 digest as 64 lower-case hex digits. */
public record Sha256(String hex) implements Comparable<Sha256> {

    private static final Pattern SHAPE = Pattern.compile("[0-9a-f]{64}");

    public Sha256 {
        Objects.requireNonNull(hex, "hex");
        if (!SHAPE.matcher(hex).matches()) {
            throw new IllegalArgumentException("not a SHA-256 digest in lower-case hex");
        }
    }

    public static Sha256 of(byte[] content) {
        MessageDigest digest = newDigest();
        digest.update(content);
        return finish(digest);
    }

    /** Reads the whole file once. */
    public static Sha256 of(Path file) throws IOException {
        Tally tally = Tally.discarding();
        Disk.copy(file, tally);
        return tally.digest();
    }

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    static Sha256 finish(MessageDigest digest) {
        return new Sha256(HexFormat.of().formatHex(digest.digest()));
    }

    @Override
    public int compareTo(Sha256 other) {
        return hex.compareTo(other.hex);
    }

    @Override
    public String toString() {
        return hex;
    }
}
