package dev.holdfast.agent;

import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * An executor that asks again when the one behind it is full: an event of a sandbox must neither be
 * lost nor be run on the thread that reads. What waits here is bounded by the streams, each of
 * which has at most one task on its way.
 */
record PatientExecutor(Executor behind) implements Executor {

    private static final int PAUSE_MILLIS = 20;
    private static final int TIMES = 3000;

    @Override
    public void execute(Runnable task) {
        attempt(task, TIMES);
    }

    private void attempt(Runnable task, int left) {
        try {
            behind.execute(task);
        } catch (RejectedExecutionException e) {
            if (left == 0) {
                AgentChannel.LOG.log(
                        Level.ERROR, "no thread took an event of a sandbox for a minute", e);
                return;
            }
            CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                    .execute(() -> attempt(task, left - 1));
        }
    }
}
