package dev.holdfast.template;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Which generations of the runtime templates may have here. The second is always there; the first
 * shares the host's kernel with its sandboxes, so an operator has to turn it on.
 */
@ApplicationScoped
public class Generations {

    @Inject
    @ConfigProperty(name = "holdfast.runtime.generation1", defaultValue = "false")
    boolean first;

    public List<Integer> offered() {
        return first ? List.of(1, 2) : List.of(2);
    }

    /**
     * @throws Problem {@code generation_unsupported}
     */
    public void require(int generation) {
        if (!offered().contains(generation)) {
            throw new Problem(
                    Reason.GENERATION_UNSUPPORTED,
                    "Generation 1 is not turned on here. Use generation 2, or have an operator set"
                            + " holdfast.runtime.generation1.");
        }
    }
}
