package dev.holdfast.api;

import dev.holdfast.job.Job;
import dev.holdfast.job.Parameter;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A job that there is.
 *
 * @param calendar {@code second minute hour} of its timer; absent if only a person starts it
 * @param startableTwice whether it may be started while it is under way
 * @param findings how many things its last run found that a person should look at
 */
@Schema(
        name = "Job",
        requiredProperties = {"job", "summary", "parameters", "startableTwice", "findings"})
public record JobView(
        @Schema(examples = "expire-snapshots") String job,
        @Schema(examples = "Removes what has expired from the lists") String summary,
        List<ParameterView> parameters,
        @Schema(examples = "0 */5 *") String calendar,
        Instant nextRunAt,
        boolean startableTwice,
        ExecutionView lastExecution,
        long findings) {

    /**
     * What an execution may be told.
     *
     * @param preset what holds unless something is said; absent: nothing does
     */
    @Schema(
            name = "JobParameter",
            requiredProperties = {"name", "summary", "allowed"})
    public record ParameterView(
            @Schema(examples = "dryRun") String name,
            @Schema(examples = "Only report what would be done") String summary,
            @Schema(examples = "true or false") String allowed,
            String preset) {

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
