package dev.holdfast.api;

import dev.holdfast.audit.AuditEntry;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * What somebody did, or was refused.
 *
 * @param project absent for what is the service's alone
 * @param principal {@code key:ID}, {@code person:SUBJECT} or {@code system}
 * @param outcome {@code done}, {@code refused} or {@code failed}
 * @param reason why, unless it was done
 * @param address where the request came from; absent, like the next two, if there was none
 * @param details more for people, different for each action
 */
public record AuditView(
        String id,
        Instant at,
        String project,
        String principal,
        String action,
        SubjectView subject,
        String outcome,
        String reason,
        String address,
        String userAgent,
        String requestId,
        Map<String, String> details) {

    /** What it was about. */
    public record SubjectView(String type, String id) {}

    static AuditView of(AuditEntry entry) {
        return new AuditView(
                Long.toString(entry.id()),
                entry.at(),
                entry.project().map(UUID::toString).orElse(null),
                entry.principal(),
                entry.action(),
                new SubjectView(entry.subject().type(), entry.subject().id()),
                entry.outcome().word(),
                entry.reason().orElse(null),
                entry.address().orElse(null),
                entry.userAgent().orElse(null),
                entry.requestId().orElse(null),
                entry.details());
    }
}
