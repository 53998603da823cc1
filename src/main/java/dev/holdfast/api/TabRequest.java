package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A browser tab that has a session open.
 *
 * @param tab made by the tab, the same as long as it is open
 * @param take whether the session is taken over from another tab
 */
@Schema(
        name = "TabRequest",
        requiredProperties = {"tab"})
public record TabRequest(@Schema(format = "uuid") String tab, Boolean take) {

    UUID id() {
        return read(tab);
    }

    boolean takes() {
        return Boolean.TRUE.equals(take);
    }

    static UUID read(String text) {
        try {
            if (text != null && text.length() == 36) {
                return UUID.fromString(text);
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw Problem.invalid("tab", "\"tab\" is a UUID that the tab has made for itself.");
    }
}
