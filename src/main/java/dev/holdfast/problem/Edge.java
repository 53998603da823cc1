package dev.holdfast.problem;

import dev.holdfast.telemetry.RouteFilter;
import java.util.Set;

/** The providers every JAX-RS application of ours registers. */
public final class Edge {
    private Edge() {}

    public static Set<Class<?>> providers() {
        return Set.of(
                ThrowableMapper.class,
                ValidationMapper.class,
                IntakeFilter.class,
                CorsFilter.class,
                JsonBinding.class,
                JsonBodyFilter.class,
                JsonReading.class,
                RouteFilter.class);
    }
}
