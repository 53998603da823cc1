package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A path or a name inside a sandbox, which may have any bytes but NUL. It never names anything on
 * the host.
 *
 * @param octets one character for each byte
 */
public record GuestPath(String octets) implements Comparable<GuestPath> {

    /** What the kernel takes. */
    public static final int LONGEST = 4096;

    public GuestPath {
        if (octets.isEmpty() || octets.length() > LONGEST) {
            throw new IllegalArgumentException("a path has 1 to " + LONGEST + " bytes");
        }
        if (!octets.chars().allMatch(each -> each > 0 && each < 256)) {
            throw new IllegalArgumentException("a path has no NUL");
        }
    }

    public static GuestPath of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static GuestPath of(byte[] bytes) {
        return new GuestPath(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    /**
     * What {@link #encoded()} wrote.
     *
     * @throws IllegalArgumentException for what is no base64 or no path
     */
    public static GuestPath encoded(String base64) {
        return of(Base64.getDecoder().decode(base64));
    }

    /** In base64. */
    public String encoded() {
        return Base64.getEncoder().encodeToString(bytes());
    }

    public byte[] bytes() {
        return octets.getBytes(StandardCharsets.ISO_8859_1);
    }

    public boolean isAbsolute() {
        return octets.charAt(0) == '/';
    }

    /** Behind its last slash. */
    public GuestPath name() {
        String last = octets.substring(octets.lastIndexOf('/') + 1);
        return last.isEmpty() ? this : new GuestPath(last);
    }

    public GuestPath below(GuestPath name) {
        return new GuestPath(octets.equals("/") ? "/" + name.octets : octets + "/" + name.octets);
    }

    /** As text; empty where its bytes are none. */
    public Optional<String> text() {
        try {
            return Optional.of(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes()))
                            .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** For people: what is no text is replaced. */
    public String shown() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** A directory before what is in it: the slash counts as the least byte. */
    @Override
    public int compareTo(GuestPath other) {
        int common = Math.min(octets.length(), other.octets.length());
        for (int i = 0; i < common; i++) {
            int difference = weight(octets.charAt(i)) - weight(other.octets.charAt(i));
            if (difference != 0) {
                return difference;
            }
        }
        return octets.length() - other.octets.length();
    }

    private static int weight(char octet) {
        return octet == '/' ? 0 : octet;
    }

    @Override
    public String toString() {
        return shown();
    }
}
