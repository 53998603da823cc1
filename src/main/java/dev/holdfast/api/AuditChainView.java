package dev.holdfast.api;

import dev.holdfast.audit.Breach;
import dev.holdfast.audit.Chain;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The chain of an audit.
 *
 * @param length how many entries are in it
 * @param head the newest of them; sequence 0: there never was one
 * @param anchor the last that was removed because it was old; sequence 0: none ever was
 * @param verification what was seen when it was last recomputed; absent: it never was
 */
@Schema(
        name = "AuditChain",
        requiredProperties = {"length", "head", "anchor"})
public record AuditChainView(
        @Schema(minimum = "0") long length,
        PointView head,
        PointView anchor,
        VerificationView verification) {

    /** A place in the chain. */
    @Schema(
            name = "AuditPoint",
            requiredProperties = {"sequence", "hash"})
    public record PointView(
            @Schema(minimum = "0", examples = "42") long sequence,
            @Schema(pattern = "^[0-9a-f]{64}$") String hash) {

        static PointView of(Chain.Point point) {
            return new PointView(point.position(), point.hash().toString());
        }
    }

    /**
     * What was seen.
     *
     * @param until the newest entry that a verification has found whole, this one or one before
     * @param reason what is wrong behind that, or came late before it; absent if it is whole
     * @param sequence where; absent for an entry that came in beside the chain
     */
    @Schema(
            name = "AuditVerification",
            requiredProperties = {"at", "outcome", "until"})
    public record VerificationView(
            Instant at,
            @Schema(enumeration = {"whole", "broken"}) String outcome,
            PointView until,
            @Schema(
                            enumeration = {
                                Breach.CHANGED,
                                Breach.MISSING,
                                Breach.UNLINKED,
                                Breach.BACKDATED,
                                Breach.REWRITTEN
                            })
                    String reason,
            Long sequence) {

        static VerificationView of(Chain.Verified verified) {
            return new VerificationView(
                    verified.at(),
                    verified.breach().isEmpty() ? "whole" : "broken",
                    PointView.of(verified.until()),
                    verified.breach().map(Breach::reason).orElse(null),
                    verified.breach()
                            .map(Breach::position)
                            .filter(position -> position > 0)
                            .orElse(null));
        }
    }

    static AuditChainView of(Chain chain) {
        return new AuditChainView(
                chain.length(),
                PointView.of(chain.head()),
                PointView.of(chain.anchor()),
                chain.verification().map(VerificationView::of).orElse(null));
    }
}
