package dev.holdfast.api;

import dev.holdfast.webhook.Webhook;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * An endpoint that is told what happens.
 *
 * @param types none: all
 * @param secret only when it has just been made
 * @param state {@code active} or {@code disabled}
 * @param failingSince since when no delivery has been taken
 */
public record WebhookView(
        String id,
        String url,
        List<String> types,
        String secret,
        String state,
        String disabledReason,
        Instant failingSince,
        Instant createdAt,
        String createdBy) {

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
