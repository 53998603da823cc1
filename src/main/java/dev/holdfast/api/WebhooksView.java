package dev.holdfast.api;

import java.util.List;

/** All of a project, which are few, the oldest first. */
public record WebhooksView(List<WebhookView> webhooks) {}
