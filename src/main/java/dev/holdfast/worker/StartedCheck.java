package dev.holdfast.worker;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/** Up once the schema is there and what a former run left here was taken over. */
@Startup
@ApplicationScoped
public class StartedCheck implements HealthCheck {

    @Inject WorkerConfig config;
    @Inject WorkerNode node;

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("started")
                .status(node.hasStarted())
                .withData("worker", config.id())
                .build();
    }
}
