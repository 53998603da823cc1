package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A session to be opened, from a template or from a snapshot.
 *
 * @param snapshot its ID or its qualified name
 * @param template its ID or its name
 * @param profile one of those listed; the first if absent
 */
@Schema(name = "SessionRequest")
public record SessionRequest(
        @Schema(maxLength = 400) String snapshot,
        @Schema(maxLength = 400, examples = "code-interpreter-v1") String template,
        @Schema(maxLength = 40, examples = "standard") String profile) {

    private static final int LONGEST = 400;

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

    Optional<String> chosen() {
        return Optional.ofNullable(profile).filter(name -> !name.isBlank());
    }
}
