package dev.holdfast.api;

import java.util.List;

/** The templates a project can use, by name. */
public record TemplatesView(List<TemplateView> templates) {
    public TemplatesView {
        templates = List.copyOf(templates);
    }
}
