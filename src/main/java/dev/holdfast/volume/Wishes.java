package dev.holdfast.volume;

import dev.holdfast.problem.Problem;
import java.util.List;

/** The mounts that somebody asks for together. */
public record Wishes(List<Wish> all) {

    /** Each costs the start of its sandbox some milliseconds, and each restore again. */
    static final int MOST = 8;

    public static final Wishes NONE = new Wishes(List.of());

    public Wishes {
        all = List.copyOf(all);
        if (all.size() > MOST) {
            throw Problem.invalid(
                    "volumeMounts", "A sandbox has at most " + MOST + " volumes mounted.");
        }
        for (int i = 0; i < all.size(); i++) {
            for (Wish other : all.subList(0, i)) {
                requireApart(all.get(i), other);
            }
        }
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    private static void requireApart(Wish one, Wish other) {
        if (one.path().overlaps(other.path())) {
            throw Problem.invalid(
                    "volumeMounts",
                    "Two volumes cannot be mounted at "
                            + other.path()
                            + " and at "
                            + one.path()
                            + ": one would hide the other.");
        }
        if (one.volume().equals(other.volume())) {
            throw twice();
        }
    }

    /** Also when it is named once by its ID and once by its name. */
    static Problem twice() {
        return Problem.invalid(
                "volumeMounts", "A volume cannot be mounted twice into one sandbox.");
    }
}
