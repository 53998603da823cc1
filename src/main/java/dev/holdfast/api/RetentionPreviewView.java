package dev.holdfast.api;

import dev.holdfast.access.Slug;
import dev.holdfast.retention.Ground;
import dev.holdfast.retention.Review;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What retention policies say at one moment; nothing is changed.
 *
 * @param kept what they keep
 * @param going what they let go
 * @param shielded what they would let go, and is pinned, held or occupied
 * @param items those that go or are shielded, the newest first
 * @param next what to give as {@code after} for the page behind it, of the same moment
 * @param previewed what allows this policy to apply to what exists, for an hour
 */
@Schema(name = "RetentionPreview")
public record RetentionPreviewView(
        Instant at,
        SumView kept,
        SumView going,
        SumView shielded,
        List<ItemView> items,
        String next,
        String previewed) {

    /** How many, and their stored bytes. */
    @Schema(name = "RetentionSum")
    public record SumView(long count, long bytes) {
        static SumView of(Review.Sum sum) {
            return new SumView(sum.count(), sum.bytes());
        }
    }

    /**
     * One that goes or would.
     *
     * @param name its qualified name, if it has one
     * @param policyVersion the version that rules it
     * @param reasons why it goes, then what keeps it all the same
     */
    @Schema(name = "RetentionItem")
    public record ItemView(
            String id,
            String name,
            String sourceSandboxId,
            Instant createdAt,
            long bytes,
            @Schema(enumeration = {"go", "shielded"}) String outcome,
            Integer policyVersion,
            List<ReasonView> reasons) {

        static ItemView of(Review.Item item, Optional<Slug> slug) {
            return new ItemView(
                    item.candidate().id().toString(),
                    item.candidate()
                            .name()
                            .flatMap(name -> slug.map(own -> name.qualified(own.value())))
                            .orElse(null),
                    item.candidate().source().value(),
                    item.candidate().createdAt(),
                    item.candidate().bytes(),
                    item.verdict().ruling().outcome().word(),
                    item.verdict().version().orElse(null),
                    item.verdict().ruling().grounds().stream().map(ReasonView::of).toList());
        }
    }

    /**
     * @param detail the same for people
     */
    @Schema(name = "RetentionReason")
    public record ReasonView(
            @Schema(enumeration = {"maximum_age", "surplus", "held", "pinned", "occupied"})
                    String reason,
            String detail) {

        static ReasonView of(Ground ground) {
            return new ReasonView(ground.kind().word(), ground.words());
        }
    }

    static RetentionPreviewView of(Review review, Optional<Slug> slug) {
        return new RetentionPreviewView(
                review.at(),
                SumView.of(review.kept()),
                SumView.of(review.going()),
                SumView.of(review.shielded()),
                review.items().stream().map(item -> ItemView.of(item, slug)).toList(),
                review.next().orElse(null),
                review.token());
    }
}
