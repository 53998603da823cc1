package dev.holdfast.capture;

import dev.holdfast.problem.Problem;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.Dependent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Several callers at the same moment, on threads of the server. */
@Dependent
public class Crowd {

    private static final int MOST_SECONDS = 60;

    @Resource ManagedExecutorService executor;

    /**
     * What each call came to, in their order: its result, or the reason of its refusal as text.
     * Anything else that is thrown fails the test.
     */
    public List<Object> atOnce(List<? extends Callable<?>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        List<Future<Object>> running = new ArrayList<>();
        for (Callable<?> call : calls) {
            running.add(
                    executor.submit(
                            () -> {
                                start.await(MOST_SECONDS, TimeUnit.SECONDS);
                                return outcome(call);
                            }));
        }
        List<Object> outcomes = new ArrayList<>();
        for (Future<Object> each : running) {
            outcomes.add(each.get(MOST_SECONDS, TimeUnit.SECONDS));
        }
        return outcomes;
    }

    <T> Future<T> beside(Callable<T> call) {
        return executor.submit(call);
    }

    private static Object outcome(Callable<?> call) throws Exception {
        try {
            return call.call();
        } catch (Problem refused) {
            return refused.reason().name();
        }
    }
}
