package dev.holdfast.gateway;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Whether this node goes on taking requests. */
@Readiness
@ApplicationScoped
public class FarewellCheck implements HealthCheck {

    @Inject Farewell farewell;

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("stop");
        return farewell.hasBegun()
                ? answer.down().withData("why", "this node is about to stop").build()
                : answer.up().build();
    }
}
