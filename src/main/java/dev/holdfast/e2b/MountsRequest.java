package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.volume.MountPath;
import dev.holdfast.volume.Wish;
import dev.holdfast.volume.Wishes;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;

/** The member {@code volumeMounts} of the create calls. */
final class MountsRequest {

    private static final String MOUNTS = "volumeMounts";

    private MountsRequest() {}

    /** Absent, null and empty ask for none. */
    static Wishes read(Members members) {
        if (!members.isSet(MOUNTS)) {
            return Wishes.NONE;
        }
        if (!(members.json().get(MOUNTS) instanceof JsonArray asked)) {
            throw wrong();
        }
        return new Wishes(asked.stream().map(MountsRequest::wish).toList());
    }

    private static Wish wish(JsonValue value) {
        if (value instanceof JsonObject mount
                && mount.get("name") instanceof JsonString name
                && mount.get("path") instanceof JsonString path) {
            return new Wish(name.getString(), new MountPath(path.getString()));
        }
        throw wrong();
    }

    private static Problem wrong() {
        return Problem.invalid(
                MOUNTS,
                "\"volumeMounts\" is a list of {\"name\": a volume, \"path\": where it is mounted}.");
    }
}
