package dev.holdfast.webhook;

import dev.holdfast.access.ProjectId;

/** An endpoint that something is due for. */
record Owed(WebhookId webhook, ProjectId project) {}
