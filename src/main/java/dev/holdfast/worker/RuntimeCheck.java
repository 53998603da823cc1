package dev.holdfast.worker;

import dev.holdfast.role.Roles;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Whether this node can run sandboxes. A node that only controls is ready without: its roles or the
 * settings say so.
 */
@Readiness
@ApplicationScoped
public class RuntimeCheck implements HealthCheck {

    @Inject Roles roles;
    @Inject WorkerConfig config;
    @Inject WorkerNode node;

    @Override
    public HealthCheckResponse call() {
        try {
            return answer(
                    roles.worker() ? node.missing() : List.of(),
                    roles.worker() && config.required());
        } catch (RuntimeException e) {
            return HealthCheckResponse.named("runtime")
                    .down()
                    .withData("why", "the worker's row cannot be read, see database")
                    .build();
        }
    }

    static HealthCheckResponse answer(List<String> missing, boolean required) {
        var answer = HealthCheckResponse.named("runtime").status(missing.isEmpty() || !required);
        answer.withData("required", required);
        for (int i = 0; i < missing.size(); i++) {
            answer.withData("missing-" + (i + 1), missing.get(i));
        }
        return answer.build();
    }
}
