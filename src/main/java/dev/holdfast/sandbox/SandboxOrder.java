package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import dev.holdfast.volume.Mount;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A sandbox that is to be made.
 *
 * @param generation of the runtime that its machine needs; one of the first is never saved
 * @param snapshot the snapshot to restore and to occupy; empty for a fresh one
 * @param parent the snapshot that its state descends from
 * @param image a saved state to start from that belongs to nobody, as a fork does; empty for others
 * @param reboot whether of the saved state only the disk is taken
 * @param mounts what is mounted into it
 * @param environment variables of every process that will be started in it
 * @param idempotency what the caller names the order by
 * @param createdBy who asked
 */
public record SandboxOrder(
        SandboxId id,
        ProjectId project,
        TemplateId template,
        String templateDigest,
        int generation,
        Optional<UUID> snapshot,
        Optional<UUID> parent,
        Optional<UUID> image,
        boolean reboot,
        Size size,
        List<Mount> mounts,
        Map<String, String> environment,
        SandboxChoices choices,
        Optional<Idempotency> idempotency,
        String createdBy) {

    public SandboxOrder {
        Objects.requireNonNull(id);
        Objects.requireNonNull(project);
        Objects.requireNonNull(template);
        Objects.requireNonNull(templateDigest);
        Objects.requireNonNull(snapshot);
        Objects.requireNonNull(parent);
        Objects.requireNonNull(image);
        Objects.requireNonNull(size);
        mounts = List.copyOf(mounts);
        environment = SandboxChoices.bounded("envVars", environment);
        Objects.requireNonNull(choices);
        Objects.requireNonNull(idempotency);
        Objects.requireNonNull(createdBy);
    }
}
