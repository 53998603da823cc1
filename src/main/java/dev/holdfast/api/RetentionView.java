package dev.holdfast.api;

import dev.holdfast.retention.Edition;
import dev.holdfast.retention.Regime;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A version of a project's retention policy.
 *
 * @param version 0: there is none yet, and all is kept
 * @param appliesToExisting whether it also rules what was saved before it
 */
@Schema(name = "RetentionVersion")
public record RetentionView(
        int version,
        RetentionPolicyView policy,
        boolean appliesToExisting,
        Instant createdAt,
        String createdBy) {

    static final RetentionView NONE =
            new RetentionView(0, new RetentionPolicyView("UTC", List.of()), false, null, null);

    static RetentionView of(Edition edition) {
        Regime.Version version = edition.version();
        return new RetentionView(
                version.number(),
                RetentionPolicyView.of(version.policy()),
                version.coversExisting(),
                edition.createdAt(),
                edition.createdBy());
    }
}
