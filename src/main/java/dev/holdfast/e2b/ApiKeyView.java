package dev.holdfast.e2b;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.IssuedKey;
import dev.holdfast.access.Permission;
import java.time.Instant;
import java.util.List;

/**
 * @param key the whole key; only in the answer that issues it
 */
public record ApiKeyView(
        String id,
        String key,
        String name,
        Mask mask,
        List<String> permissions,
        Instant createdAt,
        Instant lastUsed,
        Instant expiresAt) {

    /** What is shown of a key. */
    public record Mask(
            String prefix, int valueLength, String maskedValuePrefix, String maskedValueSuffix) {}

    private static final String PREFIX = "e2b_";
    private static final int DIGITS = 40;

    static ApiKeyView of(ApiKey key) {
        return view(key, null);
    }

    static ApiKeyView of(IssuedKey issued) {
        return view(issued.key(), issued.secret().value());
    }

    private static ApiKeyView view(ApiKey key, String secret) {
        return new ApiKeyView(
                key.id().toString(),
                secret,
                key.name(),
                new Mask(PREFIX, DIGITS, key.beginning().substring(PREFIX.length()), key.ending()),
                key.permissions().stream().sorted().map(Permission::word).toList(),
                key.createdAt(),
                key.lastUsedAt().orElse(null),
                key.expiresAt().orElse(null));
    }
}
