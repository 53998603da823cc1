package dev.holdfast.template;

import dev.holdfast.access.ProjectId;
import java.time.Duration;
import java.util.Objects;

/**
 * A template to be made.
 *
 * @param worker where its image is built
 * @param deadline a build that is not over by then has failed
 * @param actor who asked for it
 */
public record TemplateOrder(
        TemplateId id,
        ProjectId project,
        TemplateName name,
        int generation,
        Size size,
        String worker,
        Duration deadline,
        String actor) {

    public TemplateOrder {
        Objects.requireNonNull(id);
        Objects.requireNonNull(project);
        Objects.requireNonNull(name);
        Objects.requireNonNull(size);
        Objects.requireNonNull(worker);
        Objects.requireNonNull(deadline);
        Objects.requireNonNull(actor);
        if (generation != 1 && generation != 2) {
            throw new IllegalArgumentException("a generation is 1 or 2");
        }
    }
}
