package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** All of a project, which are few, the oldest first. */
@Schema(
        name = "Webhooks",
        requiredProperties = {"webhooks"})
public record WebhooksView(List<WebhookView> webhooks) {}
