package dev.holdfast.e2b;

import dev.holdfast.restore.Opening;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import java.util.Optional;

/**
 * What a restore may say otherwise than its snapshot, by the names that the create calls have for
 * it: one matrix for both dialects.
 */
@RequestScoped
public class Overrides {

    @Inject Lifetimes lifetimes;

    /** A restore of a snapshot; what its body leaves out is as the snapshot has it. */
    public Opening read(String reference, JsonValue body) {
        Opening opening =
                CreateRequest.opening(
                        reference, Members.of(body), lifetimes.orUsual(body), Optional.empty());
        lifetimes.requireAllowed(opening);
        return opening;
    }
}
