package dev.holdfast.api;

import dev.holdfast.webhook.Webhook;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * An endpoint that is told what happens.
 *
 * @param types none: all
 * @param secret only when it has just been made
 * @param state {@code active} or {@code disabled}
 * @param failingSince since when no delivery has been taken
 */
@Schema(
        name = "Webhook",
        requiredProperties = {"id", "url", "types", "state", "createdAt", "createdBy"})
public record WebhookView(
        @Schema(format = "uuid") String id,
        @Schema(format = "uri", examples = "https://example.com/holdfast") String url,
        List<String> types,
        String secret,
        @Schema(enumeration = {"active", "disabled"}) String state,
        String disabledReason,
        Instant failingSince,
        Instant createdAt,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String createdBy) {

    static WebhookView of(Webhook webhook) {
        return of(webhook, null);
    }

    static WebhookView of(Webhook webhook, String secret) {
        return new WebhookView(
                webhook.id().toString(),
                webhook.terms().destination().toString(),
                webhook.terms().types(),
                secret,
                webhook.state().name().toLowerCase(Locale.ROOT),
                webhook.disabledWhy().orElse(null),
                webhook.failingSince().orElse(null),
                webhook.createdAt(),
                webhook.createdBy());
    }
}
