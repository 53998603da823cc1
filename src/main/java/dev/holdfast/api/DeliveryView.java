package dev.holdfast.api;

import dev.holdfast.webhook.Delivery;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * An event on its way to an endpoint, or what became of it.
 *
 * @param id that of the event, and the header {@code webhook-id} of every try
 * @param state {@code pending}, {@code delivered} or {@code failed}
 * @param nextAttemptAt absent when it is over
 * @param status of the last answer
 * @param detail the beginning of the last answer, or why there was none
 */
@Schema(
        name = "Delivery",
        requiredProperties = {"id", "type", "timestamp", "state", "attempts"})
public record DeliveryView(
        @Schema(pattern = "^[0-9]{16}$", examples = "0000000000001042") String id,
        @Schema(examples = "snapshot.saved") String type,
        Instant timestamp,
        @Schema(enumeration = {"pending", "delivered", "failed"}) String state,
        int attempts,
        Instant nextAttemptAt,
        Instant lastAttemptAt,
        Integer status,
        String detail) {

    static DeliveryView of(Delivery delivery) {
        return new DeliveryView(
                delivery.event().toString(),
                delivery.type(),
                delivery.happenedAt(),
                delivery.state().word(),
                delivery.attempts(),
                delivery.dueAt().orElse(null),
                delivery.lastAt().orElse(null),
                delivery.status().orElse(null),
                delivery.detail().orElse(null));
    }
}
