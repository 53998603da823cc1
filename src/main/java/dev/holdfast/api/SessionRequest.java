package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.volume.Wishes;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A session to be opened, from a template or from a snapshot.
 *
 * @param snapshot its ID or its qualified name
 * @param template its ID or its name
 * @param profile one of those listed; the first if absent
 * @param volumeMounts volumes that a session from a template is to see; those of a snapshot are its
 *     own
 */
@Schema(name = "SessionRequest")
public record SessionRequest(
        @Schema(maxLength = 400) String snapshot,
        @Schema(maxLength = 400, examples = "code-interpreter-v1") String template,
        @Schema(maxLength = 40, examples = "standard") String profile,
        @Schema(maxItems = 8) List<MountRequest> volumeMounts) {

    private static final int LONGEST = 400;

    static final SessionRequest NOTHING = new SessionRequest(null, null, null, null);

    public SessionRequest {
        volumeMounts = volumeMounts == null ? List.of() : volumeMounts;
    }

    /** What it is to be made from. */
    String reference() {
        boolean one = (snapshot == null) != (template == null);
        String named = snapshot == null ? template : snapshot;
        if (!one || named.isBlank() || named.length() > LONGEST) {
            throw Problem.invalid(
                    "snapshot",
                    "Either \"snapshot\" or \"template\" says what the session is made from.");
        }
        return named;
    }

    boolean isLoad() {
        return snapshot != null;
    }

    Wishes mounting() {
        return MountRequest.wishes(volumeMounts);
    }

    Optional<String> chosen() {
        return Optional.ofNullable(profile).filter(name -> !name.isBlank());
    }
}
