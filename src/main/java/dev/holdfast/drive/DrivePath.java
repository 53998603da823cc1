package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A place in a volume, from its root on: names of any bytes but NUL and slash, and none that leads
 * upwards.
 *
 * @param names of one character for each byte
 */
public record DrivePath(List<String> names) {

    /** What the kernel takes, the way to the volume included. */
    private static final int LONGEST = 3500;

    private static final int LONGEST_NAME = 255;

    public DrivePath {
        names = List.copyOf(names);
        int length = 0;
        for (String name : names) {
            if (name.isEmpty()
                    || name.equals(".")
                    || name.equals("..")
                    || name.length() > LONGEST_NAME
                    || !name.chars().allMatch(each -> each > 0 && each < 256 && each != '/')) {
                throw refused();
            }
            length += name.length() + 1;
        }
        if (length > LONGEST) {
            throw refused();
        }
    }

    /**
     * A path as a caller writes it, as text or as its bytes where they are no text. A slash in
     * front and at the end, and two in a row, mean nothing.
     *
     * @param text null where it is not given
     * @param bytes base64 for URLs; null where they are not given
     * @throws Problem {@code invalid_parameter}
     */
    public static DrivePath of(String text, String bytes) {
        return bytes == null || bytes.isEmpty()
                ? split(text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8))
                : split(decoded("pathBytes", bytes));
    }

    /** A name that a listing gave as next. */
    static String after(String token) {
        return token == null || token.isEmpty()
                ? ""
                : new String(decoded("after", token), StandardCharsets.ISO_8859_1);
    }

    static String token(String octets) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(octets.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The bytes of a name as a directory of the host has it. */
    static String octets(Path name) {
        String text = name.toString();
        if (text.chars().allMatch(each -> each > 0 && each < 128)) {
            return text;
        }
        // Whatever the locale makes of it as text, its address has the bytes.
        String address = name.toUri().getRawPath();
        String last = address.substring(address.lastIndexOf('/', address.length() - 2) + 1);
        return unescaped(last.endsWith("/") ? last.substring(0, last.length() - 1) : last);
    }

    public boolean isRoot() {
        return names.isEmpty();
    }

    /** The last name for people; that of the root is empty. */
    public String name() {
        return isRoot() ? "" : shown(names.get(names.size() - 1));
    }

    /** For people: what is no text is replaced. */
    public String shown() {
        return "/" + shown(String.join("/", names));
    }

    /** The same as base64 for URLs; null where it is text. */
    String bytesIfNoText() {
        String octets = "/" + String.join("/", names);
        byte[] bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 ? null : token(octets);
    }

    DrivePath below(String octets) {
        List<String> more = new ArrayList<>(names);
        more.add(octets);
        return new DrivePath(more);
    }

    DrivePath parent() {
        return new DrivePath(names.subList(0, Math.max(0, names.size() - 1)));
    }

    /** On the host; by its bytes, whatever the server's locale is. */
    Path on(Path root) {
        if (isRoot()) {
            return root;
        }
        StringBuilder address = new StringBuilder(root.toUri().getRawPath());
        if (address.charAt(address.length() - 1) == '/') {
            address.setLength(address.length() - 1);
        }
        for (String name : names) {
            address.append('/');
            name.chars().forEach(each -> address.append("%%%02X".formatted(each)));
        }
        return Path.of(URI.create("file://" + address));
    }

    private static DrivePath split(byte[] bytes) {
        List<String> names = new ArrayList<>();
        for (String name : new String(bytes, StandardCharsets.ISO_8859_1).split("/")) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return new DrivePath(names);
    }

    private static byte[] decoded(String parameter, String token) {
        try {
            return Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(
                    parameter,
                    "\"" + parameter + "\" is base64 for URLs, as answers here write it.");
        }
    }

    private static String unescaped(String part) {
        StringBuilder octets = new StringBuilder();
        for (int i = 0; i < part.length(); i++) {
            if (part.charAt(i) == '%') {
                octets.append((char) Integer.parseInt(part.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                octets.append(part.charAt(i));
            }
        }
        return octets.toString();
    }

    private static String shown(String octets) {
        return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static Problem refused() {
        return Problem.invalid(
                "path",
                "\"path\" leads from the volume's root to a file, as in /data/notes.txt: names of"
                        + " at most "
                        + LONGEST_NAME
                        + " bytes, together at most "
                        + LONGEST
                        + ", without NUL, \".\" and \"..\".");
    }

    @Override
    public String toString() {
        return shown();
    }
}
