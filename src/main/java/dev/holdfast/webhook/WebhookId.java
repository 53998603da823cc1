package dev.holdfast.webhook;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Names an endpoint. */
public record WebhookId(UUID value) {

    public WebhookId {
        Objects.requireNonNull(value);
    }

    /** Empty for what is no UUID. */
    public static Optional<WebhookId> parse(String text) {
        return text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
                ? Optional.of(new WebhookId(UUID.fromString(text)))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
