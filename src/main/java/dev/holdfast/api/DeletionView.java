package dev.holdfast.api;

import dev.holdfast.inventory.BulkDeletion;
import dev.holdfast.inventory.Deletion;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What became of a deletion of many.
 *
 * @param items each of them once
 * @param deleted how many are on their way out by this call
 * @param failed what is to be given as {@code ids} to try again what failed, and nothing else
 * @param next what to give as {@code previewed} to go on with the same filter; absent at its end
 */
@Schema(
        name = "DeletionOutcome",
        requiredProperties = {"items", "deleted", "failed"})
public record DeletionView(
        List<ItemView> items,
        long deleted,
        @Schema(examples = "[\"0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10\"]") List<String> failed,
        String next) {

    /**
     * One of them.
     *
     * @param reason why it is not {@code deleted}, as its own deletion would have said
     * @param detail the same for people
     * @param occupants the sandboxes that keep it
     */
    @Schema(
            name = "DeletionItem",
            requiredProperties = {"id", "outcome"})
    public record ItemView(
            @Schema(format = "uuid") String id,
            @Schema(
                            enumeration = {
                                "deleted",
                                "awaitingCleanup",
                                "notFound",
                                "occupied",
                                "pinned",
                                "held",
                                "notSaved",
                                "failed",
                                "notAttempted"
                            })
                    String outcome,
            String reason,
            String detail,
            List<String> occupants) {

        static ItemView of(Deletion deletion) {
            return new ItemView(
                    deletion.id().toString(),
                    deletion.outcome().word(),
                    deletion.why().map(why -> why.reason().word()).orElse(null),
                    deletion.why().map(Throwable::getMessage).orElse(null),
                    deletion.occupants().isEmpty() ? null : deletion.occupants());
        }
    }

    static DeletionView of(BulkDeletion.Outcome outcome) {
        return new DeletionView(
                outcome.items().stream().map(ItemView::of).toList(),
                outcome.items().stream()
                        .filter(each -> each.outcome() == Deletion.Outcome.DELETED)
                        .count(),
                outcome.items().stream()
                        .filter(each -> each.outcome().isFailure())
                        .map(each -> each.id().toString())
                        .toList(),
                outcome.next().orElse(null));
    }
}
