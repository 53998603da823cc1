package dev.holdfast.sandbox;

import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What a saved state brings with it, whoever goes on from it: the disk under its files, how much it
 * may use, and the variables of its processes.
 *
 * @param state the saved state
 */
public record Body(
        UUID state,
        TemplateId template,
        String templateDigest,
        Size size,
        Map<String, String> environment) {
    public Body {
        Objects.requireNonNull(state);
        Objects.requireNonNull(template);
        Objects.requireNonNull(templateDigest);
        Objects.requireNonNull(size);
        environment = Map.copyOf(environment);
    }
}
