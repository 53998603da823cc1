package dev.holdfast.webhook;

import java.util.List;

/**
 * A delivery that this node has taken to try now.
 *
 * @param number of the delivery
 * @param id of the event, which the endpoint tells doubles by
 * @param secrets to sign it with
 */
record Shipment(
        long number,
        WebhookId webhook,
        String id,
        byte[] body,
        Destination destination,
        List<SigningSecret> secrets) {}
