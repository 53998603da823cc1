package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import java.util.Objects;
import java.util.Optional;

/**
 * Whose a file is to be, and who may do what with it.
 *
 * @param uid empty: as it is, or of the ordinary user in sandboxes for what is new; so is gid
 * @param mode the permissions; empty: as it is, or what is usual for what is new
 */
public record Owner(Optional<Long> uid, Optional<Long> gid, Optional<Integer> mode) {

    public static final Owner USUAL =
            new Owner(Optional.empty(), Optional.empty(), Optional.empty());

    /** Numbers of the ordinary user in sandboxes. */
    static final long USER = 1000;

    private static final long LAST = (1L << 32) - 2;

    public Owner {
        Objects.requireNonNull(mode);
        requireNumber("uid", uid);
        requireNumber("gid", gid);
        if (mode.filter(bits -> bits < 0 || bits > 07777).isPresent()) {
            throw Problem.invalid("mode", "\"mode\" is a number from 0 to 4095, 07777 in octal.");
        }
    }

    private static void requireNumber(String name, Optional<Long> id) {
        if (id.filter(number -> number < 0 || number > LAST).isPresent()) {
            throw Problem.invalid(name, "\"" + name + "\" is a number from 0 to " + LAST + ".");
        }
    }
}
