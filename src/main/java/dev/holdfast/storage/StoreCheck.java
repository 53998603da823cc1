package dev.holdfast.storage;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Whether the store answers and takes an upload. A full one does: it can still be read, and
 * captures say themselves that it is full.
 */
@Readiness
@ApplicationScoped
public class StoreCheck implements HealthCheck {

    @Inject ObjectStore store;

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("store");
        return lack().map(why -> answer.down().withData("why", why)).orElseGet(answer::up).build();
    }

    /** What is wrong with it now; empty if nothing is. */
    Optional<String> lack() {
        try {
            store.check();
            return Optional.empty();
        } catch (BucketException e) {
            return Optional.of(e.getMessage());
        } catch (IOException | RuntimeException e) {
            return Optional.of(e.toString());
        }
    }
}
