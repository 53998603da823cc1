package dev.holdfast.worker;

import dev.holdfast.runtime.RunscRuntime;
import dev.holdfast.runtime.RuntimeConfig;
import dev.holdfast.runtime.SandboxRuntime;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import org.eclipse.microprofile.config.Config;

/** Which runtime this worker uses is decided here and nowhere else. */
@ApplicationScoped
class RuntimeProvider {

    @Produces
    @Singleton
    SandboxRuntime runtime(Config config, Clock clock, MeterRegistry registry) {
        return CountedRuntime.of(RunscRuntime.open(RuntimeConfig.from(config), clock), registry);
    }
}
