package dev.holdfast.sandbox;

import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import dev.holdfast.volume.Mount;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What a saved state brings with it, whoever goes on from it: the disk under its files, how much it
 * may use, the volumes it has mounted, and the variables of its processes.
 *
 * @param state the saved state
 */
public record Body(
        UUID state,
        TemplateId template,
        String templateDigest,
        Size size,
        List<Mount> mounts,
        Map<String, String> environment) {
    public Body {
        Objects.requireNonNull(state);
        Objects.requireNonNull(template);
        Objects.requireNonNull(templateDigest);
        Objects.requireNonNull(size);
        mounts = List.copyOf(mounts);
        environment = Map.copyOf(environment);
    }
}
