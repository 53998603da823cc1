package dev.holdfast.worker;

import dev.holdfast.role.Roles;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;

/**
 * Whether this worker takes sandboxes, and exactly what it lacks. The control plane answers without
 * a worker, so this is told beside the server's readiness and does not turn it.
 */
@Liveness
@ApplicationScoped
public class WorkerCheck implements HealthCheck {

    @Inject Roles roles;
    @Inject WorkerNode node;

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("worker").up();
        try {
            tell(answer);
        } catch (RuntimeException e) {
            // A database that is away is no reason to start this server again.
            answer.withData("why", "the worker's row cannot be read, see database");
        }
        return answer.build();
    }

    private void tell(HealthCheckResponseBuilder answer) {
        if (!roles.worker()) {
            answer.withData("takesSandboxes", false).withData("why", "this node only controls");
            return;
        }
        List<String> missing = node.missing();
        answer.withData("takesSandboxes", missing.isEmpty());
        for (int i = 0; i < missing.size(); i++) {
            answer.withData("missing-" + (i + 1), missing.get(i));
        }
        List<String> light = node.missingForLight().orElse(List.of("not turned on"));
        answer.withData("takesGeneration1", missing.isEmpty() && light.isEmpty());
        for (int i = 0; i < light.size(); i++) {
            answer.withData("missing-for-generation-1-" + (i + 1), light.get(i));
        }
    }
}
