package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The templates a project can use, by name. */
@Schema(
        name = "TemplateList",
        requiredProperties = {"templates"})
public record TemplatesView(List<TemplateView> templates) {
    public TemplatesView {
        templates = List.copyOf(templates);
    }
}
