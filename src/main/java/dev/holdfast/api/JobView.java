package dev.holdfast.api;

import dev.holdfast.job.Job;
import dev.holdfast.job.Parameter;
import java.time.Instant;
import java.util.List;

/**
 * A job that there is.
 *
 * @param calendar {@code second minute hour} of its timer; absent if only a person starts it
 * @param startableTwice whether it may be started while it is under way
 * @param findings how many things its last run found that a person should look at
 */
public record JobView(
        String job,
        String summary,
        List<ParameterView> parameters,
        String calendar,
        Instant nextRunAt,
        boolean startableTwice,
        ExecutionView lastExecution,
        long findings) {

    /**
     * What an execution may be told.
     *
     * @param preset what holds unless something is said; absent: nothing does
     */
    public record ParameterView(String name, String summary, String allowed, String preset) {

        static ParameterView of(Parameter parameter) {
            return new ParameterView(
                    parameter.name(),
                    parameter.summary(),
                    parameter.allowed(),
                    parameter.presetting().orElse(null));
        }
    }

    static JobView of(Job job, String calendar, Instant next, ExecutionView last, long findings) {
        return new JobView(
                job.id(),
                job.summary(),
                job.parameters().stream().map(ParameterView::of).toList(),
                calendar,
                next,
                job.isStartableTwice(),
                last,
                findings);
    }
}
