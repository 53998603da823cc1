package dev.holdfast.contents;

import dev.holdfast.agent.GuestPath;
import dev.holdfast.problem.Problem;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;

/** A path of a snapshot as a caller writes it: as text, or as its bytes where they are no text. */
public record AskedPath(GuestPath path) {

    /**
     * @param text null where it is not given
     * @param bytes base64 for URLs; null where they are not given
     * @throws Problem {@code invalid_parameter}
     */
    public static AskedPath of(String text, String bytes) {
        GuestPath path =
                bytes == null || bytes.isEmpty()
                        ? read("path", () -> GuestPath.of(text == null ? "/" : text))
                        : read("pathBytes", () -> decoded(bytes));
        if (!path.isAbsolute()) {
            throw Problem.invalid("path", "\"path\" begins at the root: /home/user, for example.");
        }
        return new AskedPath(path);
    }

    /** A name that a listing gave as next. */
    static Optional<GuestPath> name(String token) {
        return token == null || token.isEmpty()
                ? Optional.empty()
                : Optional.of(read("after", () -> decoded(token)));
    }

    /** The bytes of a path or a name as callers are given them, and give them back. */
    static String token(GuestPath path) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(path.bytes());
    }

    private static GuestPath decoded(String token) {
        return GuestPath.of(Base64.getUrlDecoder().decode(token));
    }

    private static GuestPath read(String parameter, Supplier<GuestPath> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(
                    parameter,
                    "\""
                            + parameter
                            + "\" has 1 to "
                            + GuestPath.LONGEST
                            + " bytes and no NUL; bytes are written in base64 for URLs, as answers"
                            + " here write them.");
        }
    }
}
