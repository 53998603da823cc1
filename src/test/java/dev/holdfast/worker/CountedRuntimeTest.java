package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.MachineId;
import dev.holdfast.runtime.SandboxRuntime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class CountedRuntimeTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void countsWhatTheRuntimeFailsAtAndHandsItOn() {
        var failure = new MachineFailure(MachineFailure.Reason.LATE, "no end");
        var runtime = CountedRuntime.of(answering(failure), registry);

        assertThatThrownBy(() -> runtime.kill(MachineId.random())).isSameAs(failure);
        assertThatThrownBy(() -> runtime.kill(MachineId.random())).isSameAs(failure);
        assertThat(runtime.running()).isEmpty();

        assertThat(
                        registry.get("holdfast.runtime.failures")
                                .tags("operation", "kill", "reason", "late")
                                .counter()
                                .count())
                .isEqualTo(2);
        assertThat(registry.getMeters()).hasSize(1);
    }

    @Test
    void saysInFewWordsWhyAStartFailed() {
        var full = new MachineFailure(MachineFailure.Reason.NO_SPACE, "full");
        assertThat(StartMeter.reason(new IllegalStateException(full)))
                .isEqualTo("machine_no_space");
        assertThat(StartMeter.reason(new RuntimeException(new TimeoutException())))
                .isEqualTo("agent");
        assertThat(StartMeter.reason(new UncheckedIOException(new java.io.IOException("x"))))
                .isEqualTo("other");
    }

    private static SandboxRuntime answering(MachineFailure failure) {
        return (SandboxRuntime)
                Proxy.newProxyInstance(
                        SandboxRuntime.class.getClassLoader(),
                        new Class<?>[] {SandboxRuntime.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("running")) {
                                return List.of();
                            }
                            throw failure;
                        });
    }
}
