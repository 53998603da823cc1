package dev.holdfast.api;

import dev.holdfast.retention.PolicyConverter;
import dev.holdfast.retention.Proposal;
import jakarta.json.JsonValue;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The next version of a project's retention policy. */
public record RetentionRequest(
        @Schema(required = true) RetentionPolicyView policy,
        @Schema(
                        description =
                                "Whether it shall also rule what is there, and so end some of it"
                                        + " sooner; needs previewed")
                Boolean applyToExisting,
        @Schema(description = "With applyToExisting: what the preview of the same policy gave")
                String previewed) {

    private static final String POLICY = "policy";
    private static final String EXISTING = "applyToExisting";
    private static final String PREVIEWED = "previewed";

    /** The same, read. */
    record Read(Proposal proposal, Optional<String> previewed) {}

    static Read read(JsonValue body) {
        Asked asked = Asked.of(body, Set.of(POLICY, EXISTING, PREVIEWED));
        return new Read(proposal(asked), asked.text(PREVIEWED));
    }

    static Proposal proposal(Asked asked) {
        return new Proposal(
                PolicyConverter.policy(asked.members().get(POLICY)),
                asked.flag(EXISTING).orElse(false));
    }
}
