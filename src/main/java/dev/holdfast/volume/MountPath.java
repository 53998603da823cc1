package dev.holdfast.volume;

import dev.holdfast.problem.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where in a sandbox a volume is mounted: an absolute path as it is written when nothing about it
 * can be left out, and none on which the system or the agent stands.
 */
public record MountPath(String value) {

    private static final int LONGEST = 200;
    private static final Pattern SHAPE = Pattern.compile("(/[A-Za-z0-9._@+-]{1,64})+");
    private static final Set<String> NOWHERE = Set.of(".", "..");

    /** Nothing at these and nothing below them. */
    private static final List<String> SYSTEM =
            List.of(
                    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc",
                    "/run", "/sbin", "/sys", "/usr");

    /** Nothing at these, for what programs expect in them would be hidden. */
    private static final Set<String> BUSY =
            Set.of("/home", "/home/user", "/root", "/tmp", "/var", "/var/lib", "/var/tmp");

    public MountPath {
        if (value == null
                || value.length() > LONGEST
                || !SHAPE.matcher(value).matches()
                || Arrays.stream(value.split("/")).anyMatch(NOWHERE::contains)) {
            throw refused(
                    "is an absolute path of at most "
                            + LONGEST
                            + " characters out of letters, digits and . _ @ + -, without \"..\", an"
                            + " empty part or a slash at the end: /mnt/data, for example");
        }
        String asked = value;
        if (BUSY.contains(value)
                || SYSTEM.stream().anyMatch(each -> asked.equals(each) || below(asked, each))) {
            throw refused("is not " + value + ", which the system needs; take /mnt/data");
        }
    }

    /** Whether one of them hides the other. */
    boolean overlaps(MountPath other) {
        return value.equals(other.value) || below(value, other.value) || below(other.value, value);
    }

    private static boolean below(String path, String directory) {
        return path.startsWith(directory + "/");
    }

    private static Problem refused(String rule) {
        return Problem.invalid("volumeMounts", "The path of a mount " + rule + ".");
    }

    @Override
    public String toString() {
        return value;
    }
}
