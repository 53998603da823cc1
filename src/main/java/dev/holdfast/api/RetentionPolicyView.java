package dev.holdfast.api;

import dev.holdfast.retention.Policy;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Which snapshots a project keeps; what no rule is about is kept. */
@Schema(name = "RetentionPolicy")
public record RetentionPolicyView(
        @Schema(
                        defaultValue = "UTC",
                        description = "Whose hours and days are counted, such as Europe/Berlin")
                String zone,
        @Schema(maxItems = Policy.MOST_RULES) List<RetentionRuleView> rules) {

    static RetentionPolicyView of(Policy policy) {
        return new RetentionPolicyView(
                policy.zone().getId(), policy.rules().stream().map(RetentionRuleView::of).toList());
    }
}
