package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import dev.holdfast.volume.Mount;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** All that the row of a saved snapshot holds, read from what is stored beside its parts. */
public record Recovered(
        SnapshotId id,
        UploadId upload,
        ProjectId project,
        Kind kind,
        Optional<SnapshotName> name,
        Source source,
        Settings settings,
        Instant createdAt,
        String createdBy,
        Sealed sealed) {

    /**
     * What it was made of.
     *
     * @param parent the snapshot that the sandbox was restored from
     */
    public record Source(
            SandboxId sandbox,
            Optional<SnapshotId> parent,
            TemplateId template,
            String templateDigest,
            String worker) {
        public Source {
            Objects.requireNonNull(sandbox);
            Objects.requireNonNull(parent);
            Objects.requireNonNull(template);
            Objects.requireNonNull(templateDigest);
            Objects.requireNonNull(worker);
        }
    }

    /** What a sandbox made from it inherits. */
    public record Settings(
            Size size,
            boolean secured,
            boolean memory,
            Lifecycle lifecycle,
            NetworkPolicy network,
            Map<String, String> metadata,
            Map<String, String> environment,
            List<Mount> mounts) {
        public Settings {
            Objects.requireNonNull(size);
            Objects.requireNonNull(lifecycle);
            Objects.requireNonNull(network);
            metadata = Map.copyOf(metadata);
            environment = Map.copyOf(environment);
            mounts = List.copyOf(mounts);
        }
    }

    public Recovered {
        Objects.requireNonNull(id);
        Objects.requireNonNull(upload);
        Objects.requireNonNull(project);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
        Objects.requireNonNull(source);
        Objects.requireNonNull(settings);
        Objects.requireNonNull(createdAt);
        Objects.requireNonNull(createdBy);
        Objects.requireNonNull(sealed);
        if ((kind == Kind.PAUSE) != sealed.expiresAt().isEmpty()) {
            throw new IllegalArgumentException("only the state of a pause has no expiry");
        }
    }
}
