package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.retention.Proposal;
import dev.holdfast.retention.Reviews;
import jakarta.json.JsonValue;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Which policy is to be looked at. */
public record RetentionPreviewRequest(
        @Schema(description = "As if it were the next version; absent: those in force")
                RetentionPolicyView policy,
        Boolean applyToExisting,
        @Schema(description = "The next of a page") String after,
        @Schema(minimum = "1", maximum = "1000", defaultValue = "100") Integer limit) {

    private static final String POLICY = "policy";
    private static final String EXISTING = "applyToExisting";
    private static final String AFTER = "after";
    private static final String LIMIT = "limit";
    private static final long USUAL = 100;

    /** The same, read. */
    record Read(Optional<Proposal> next, Optional<String> after, int limit) {}

    static Read read(JsonValue body) {
        Asked asked =
                Asked.of(
                        body == null ? JsonValue.EMPTY_JSON_OBJECT : body,
                        Set.of(POLICY, EXISTING, AFTER, LIMIT));
        long limit = asked.number(LIMIT).orElse(USUAL);
        if (limit < 1 || limit > Reviews.MOST) {
            throw Problem.invalid(LIMIT, "\"limit\" is a number from 1 to " + Reviews.MOST + ".");
        }
        if (!asked.has(POLICY) && asked.has(EXISTING)) {
            throw Problem.invalid(
                    EXISTING, "\"applyToExisting\" belongs to a \"policy\" that is to be.");
        }
        return new Read(
                asked.has(POLICY)
                        ? Optional.of(RetentionRequest.proposal(asked))
                        : Optional.empty(),
                asked.text(AFTER),
                (int) limit);
    }
}
