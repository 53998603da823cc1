package dev.holdfast.api;

import dev.holdfast.snapshot.Difference;
import dev.holdfast.snapshot.Verdict;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Whether a snapshot can be restored.
 *
 * @param restorable whether a restore would be taken now
 * @param reason {@code restorable}; {@code restore_failed} when it should work and did not the last
 *     time; else {@code expired}, {@code not_saved}, {@code incompatible_runtime}, {@code
 *     missing_part}, {@code corrupt_part}, {@code volume_deleted}, {@code volume_elsewhere} or
 *     {@code no_worker}
 * @param workers where
 * @param differences what each worker lacks, of one that is incompatible
 */
@Schema(
        name = "Verdict",
        requiredProperties = {"restorable", "reason", "detail", "workers"})
public record VerdictView(
        boolean restorable,
        @Schema(examples = "restorable") String reason,
        @Schema(examples = "It can be restored on worker-1.") String detail,
        @Schema(examples = "[\"worker-1\"]") List<String> workers,
        List<DifferenceView> differences) {

    /** JSON-B asks for it of all that it writes, and what the workers lack can be long. */
    @Override
    public int hashCode() {
        return detail.hashCode();
    }

    /** What one worker lacks. */
    @Schema(
            name = "VerdictDifference",
            requiredProperties = {"worker", "what", "needed"})
    public record DifferenceView(String worker, String what, String needed, String offered) {

        static DifferenceView of(Difference difference) {
            return new DifferenceView(
                    difference.worker(),
                    difference.what(),
                    difference.needed(),
                    difference.offered().orElse(null));
        }
    }

    static VerdictView of(Verdict verdict) {
        if (verdict instanceof Verdict.Yes yes) {
            return new VerdictView(true, yes.reason(), yes.words(), yes.workers(), null);
        }
        Verdict.No no = (Verdict.No) verdict;
        return new VerdictView(
                false,
                no.reason(),
                no.words(),
                List.of(),
                no.differences().isEmpty()
                        ? null
                        : no.differences().stream().map(DifferenceView::of).toList());
    }
}
