package dev.holdfast.webhook;

import dev.holdfast.audit.Action;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;

/** What the audit is told of endpoints: of an address only the host, for the rest may be secret. */
final class Deeds {
    private Deeds() {}

    static Deed of(Action action, Webhook webhook) {
        return Deed.of(action, new Subject("webhook", webhook.id().toString()))
                .in(webhook.project().value())
                .with("host", webhook.terms().destination().host());
    }
}
