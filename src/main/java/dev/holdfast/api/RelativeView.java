package dev.holdfast.api;

import dev.holdfast.access.Slug;
import dev.holdfast.inventory.Relative;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A snapshot or a live sandbox of a lineage.
 *
 * @param state of a sandbox its own; of a snapshot also expired, removed while its tombstone
 *     stands, and gone when its ID is all that is known
 * @param parentId the snapshot that it descends from
 * @param name of a snapshot, the one it has or had
 * @param forked whether a sandbox descends from its parent by a fork; it does not occupy it then
 * @param removalReason of a snapshot that was removed or has expired
 * @param hasChildren whether anything descends from it; of children only
 */
@Schema(
        name = "Relative",
        requiredProperties = {"type", "id", "state"})
public record RelativeView(
        @Schema(enumeration = {"snapshot", "sandbox"}) String type,
        String id,
        @Schema(examples = "saved") String state,
        @Schema(enumeration = {"snapshot", "auto"}) String kind,
        @Schema(format = "uuid") String parentId,
        @Schema(examples = "claims/deps-ready:v1") String name,
        @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String sourceSandboxId,
        Boolean forked,
        Instant createdAt,
        Long storedBytes,
        @Schema(enumeration = {"deleted", "expired"}) String removalReason,
        Instant removedAt,
        Boolean hasChildren) {

    static RelativeView ancestor(Relative relative, Optional<Slug> slug) {
        return of(relative, slug, null);
    }

    static RelativeView child(Relative relative, Optional<Slug> slug) {
        return of(relative, slug, relative.fruitful());
    }

    private static RelativeView of(Relative relative, Optional<Slug> slug, Boolean hasChildren) {
        boolean sandbox = relative.type() == Relative.Type.SANDBOX;
        return new RelativeView(
                relative.type().name().toLowerCase(Locale.ROOT),
                relative.id(),
                relative.state(),
                relative.kind().orElse(null),
                relative.parent().orElse(null),
                relative.name()
                        .flatMap(name -> slug.map(own -> name.qualified(own.value())))
                        .orElse(null),
                relative.source().orElse(null),
                sandbox ? relative.forked() : null,
                relative.createdAt().orElse(null),
                relative.bytes().orElse(null),
                relative.removed().map(Relative.Removed::reason).orElse(null),
                relative.removed().map(Relative.Removed::at).orElse(null),
                hasChildren);
    }
}
