package dev.holdfast.api;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.IssuedKey;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Principal;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * An API key.
 *
 * @param key the key itself; only in the answer that issues it, and never again
 * @param mask how people tell it from others
 * @param lastUsedAt to the minute
 * @param state {@code active}, {@code expired} or {@code revoked}
 */
@Schema(
        name = "Key",
        requiredProperties = {
            "id",
            "name",
            "mask",
            "permissions",
            "state",
            "createdAt",
            "createdBy"
        })
public record KeyView(
        @Schema(format = "uuid") String id,
        @Schema(description = "The key itself; only in the answer that issues it, and never again")
                String key,
        @Schema(examples = "nightly export") String name,
        @Schema(examples = "e2b_01…89") String mask,
        @Schema(examples = "[\"snapshots:read\"]") List<String> permissions,
        @Schema(enumeration = {"active", "expired", "revoked"}) String state,
        Instant createdAt,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String createdBy,
        Instant expiresAt,
        Instant lastUsedAt,
        Instant revokedAt,
        String revokedBy) {

    static KeyView of(IssuedKey issued, Instant now) {
        return view(issued.key(), issued.secret().value(), now);
    }

    static KeyView of(ApiKey key, Instant now) {
        return view(key, null, now);
    }

    private static KeyView view(ApiKey key, String secret, Instant now) {
        return new KeyView(
                key.id().toString(),
                secret,
                key.name(),
                key.masked(),
                key.permissions().stream().sorted().map(Permission::word).toList(),
                key.stateAt(now),
                key.createdAt(),
                key.createdBy().text(),
                key.expiresAt().orElse(null),
                key.lastUsedAt().orElse(null),
                key.revokedAt().orElse(null),
                key.revokedBy().map(Principal::text).orElse(null));
    }
}
