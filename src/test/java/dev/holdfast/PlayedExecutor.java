package dev.holdfast;

import jakarta.enterprise.concurrent.ManagedExecutorService;
import java.lang.reflect.Proxy;
import java.util.concurrent.Executor;

/** Of the container's executor what every executor does, by another one. */
public final class PlayedExecutor {

    private PlayedExecutor() {}

    public static ManagedExecutorService of(Executor threads) {
        return (ManagedExecutorService)
                Proxy.newProxyInstance(
                        PlayedExecutor.class.getClassLoader(),
                        new Class<?>[] {ManagedExecutorService.class},
                        (proxy, method, arguments) -> {
                            threads.execute((Runnable) arguments[0]);
                            return null;
                        });
    }
}
