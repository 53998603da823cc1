package dev.holdfast.api;

import dev.holdfast.audit.AuditEntries;
import dev.holdfast.audit.AuditEntry;
import dev.holdfast.audit.Link;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What somebody did, or was refused.
 *
 * @param project absent for what is the service's alone
 * @param principal {@code key:ID}, {@code person:SUBJECT}, {@code system}, or {@code volume:ID} for
 *     whoever showed the token of a volume
 * @param outcome {@code done}, {@code refused} or {@code failed}
 * @param reason why, unless it was done
 * @param address where the request came from; absent, like the next two, if there was none
 * @param details more for people, different for each action
 * @param chain its place in the chain of this audit; absent for a moment after it was written
 */
@Schema(
        name = "AuditEntry",
        requiredProperties = {"id", "at", "principal", "action", "subject", "outcome", "details"})
public record AuditView(
        @Schema(examples = "1042") String id,
        Instant at,
        @Schema(format = "uuid") String project,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String principal,
        @Schema(examples = "snapshot.delete") String action,
        SubjectView subject,
        @Schema(enumeration = {"done", "refused", "failed"}) String outcome,
        String reason,
        String address,
        String userAgent,
        String requestId,
        Map<String, String> details,
        LinkView chain) {

    /**
     * Where it stands in the chain. Its hash is that of the hash before it, its sequence and
     * itself.
     */
    @Schema(
            name = "AuditLink",
            requiredProperties = {"sequence", "previousHash", "hash"})
    public record LinkView(
            @Schema(minimum = "1", examples = "42") long sequence,
            @Schema(pattern = "^[0-9a-f]{64}$") String previousHash,
            @Schema(pattern = "^[0-9a-f]{64}$") String hash) {

        static LinkView of(Link link) {
            return new LinkView(
                    link.position(), link.previous().toString(), link.hash().toString());
        }
    }

    /** What it was about. */
    @Schema(
            name = "AuditSubject",
            requiredProperties = {"type", "id"})
    public record SubjectView(
            @Schema(examples = "snapshot") String type,
            @Schema(examples = "0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10") String id) {}

    static AuditView of(AuditEntries.Listed listed) {
        AuditEntry entry = listed.entry();
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
                entry.details(),
                listed.link().map(LinkView::of).orElse(null));
    }
}
