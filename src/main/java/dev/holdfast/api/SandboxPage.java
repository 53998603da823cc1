package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of what runs and what is paused.
 *
 * @param total how many there are on all pages
 */
@Schema(
        name = "SandboxPage",
        requiredProperties = {"sandboxes", "page", "total"})
public record SandboxPage(List<SandboxRowView> sandboxes, int page, long total) {

    public SandboxPage {
        sandboxes = sandboxes == null ? List.of() : List.copyOf(sandboxes);
    }
}
