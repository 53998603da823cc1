package dev.holdfast.webhook;

import dev.holdfast.access.ProjectId;
import java.time.Instant;
import java.util.List;

/**
 * A delivery that this node has taken to try now.
 *
 * @param number of the delivery
 * @param claimedUntil what tells this try from those of others
 * @param id of the event, which the endpoint tells doubles by
 * @param secrets to sign it with
 */
record Shipment(
        long number,
        WebhookId webhook,
        ProjectId project,
        Instant claimedUntil,
        String id,
        byte[] body,
        Destination destination,
        List<SigningSecret> secrets) {}
