package dev.holdfast.worker;

import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.SandboxRuntime;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Locale;

/** Counts what a runtime fails at, by operation and reason, and hands everything on. */
record CountedRuntime(SandboxRuntime runtime, MeterRegistry registry) implements InvocationHandler {

    static SandboxRuntime of(SandboxRuntime runtime, MeterRegistry registry) {
        return (SandboxRuntime)
                Proxy.newProxyInstance(
                        SandboxRuntime.class.getClassLoader(),
                        new Class<?>[] {SandboxRuntime.class},
                        new CountedRuntime(runtime, registry));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(runtime, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof MachineFailure failure) {
                registry.counter(
                                "holdfast.runtime.failures",
                                "operation",
                                method.getName(),
                                "reason",
                                failure.reason().name().toLowerCase(Locale.ROOT))
                        .increment();
            }
            throw e.getCause();
        }
    }
}
