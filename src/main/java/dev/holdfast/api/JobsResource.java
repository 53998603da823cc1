package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.job.Execution;
import dev.holdfast.job.Executions;
import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Job;
import dev.holdfast.job.JobSchedule;
import dev.holdfast.job.Jobs;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.problem.Token;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The batch jobs, for whoever administers the service. */
@Tag(name = "jobs")
@Path("/admin/jobs")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SERVICE_ADMIN)
public class JobsResource {

    @Inject Executions executions;
    @Inject Findings findings;
    @Inject Jobs jobs;
    @Inject JobSchedule schedule;

    @GET
    @Operation(
            operationId = "listJobs",
            summary = "All jobs, with parameters, schedule and last execution")
    public JobsView list() {
        return new JobsView(Arrays.stream(Job.values()).map(this::view).toList());
    }

    @GET
    @Path("{job}")
    @Operation(
            operationId = "getJob",
            summary = "A job, with its parameters, its schedule and its last execution")
    public JobView get(@PathParam("job") String named) {
        return view(job(named));
    }

    @GET
    @Path("{job}/executions")
    @Operation(operationId = "listExecutions", summary = "The executions of a job, newest first")
    public ExecutionPage executions(
            @PathParam("job") String named,
            @QueryParam("after") String after,
            @QueryParam("limit") @DefaultValue("50") String limit) {
        Job job = job(named);
        int most = Cursor.limitSaid(limit);
        List<Execution> found =
                executions.list(
                        job,
                        Optional.ofNullable(after)
                                .map(
                                        text ->
                                                number(text)
                                                        .orElseThrow(
                                                                () ->
                                                                        Problem.invalid(
                                                                                "after",
                                                                                "\"after\" is the \"next\" of the page before it."))),
                        most + 1);
        List<ExecutionView> page = found.stream().limit(most).map(ExecutionView::of).toList();
        return new ExecutionPage(page, found.size() > most ? page.get(most - 1).id() : null);
    }

    @POST
    @Path("{job}/executions")
    @Audited(value = Action.JOB_START, type = "job", id = "job")
    @Operation(operationId = "startJob", summary = "Start a job")
    @Refuses(Reason.JOB_RUNNING)
    @APIResponse(
            responseCode = "202",
            description = "It is under way at Location",
            content = @Content(schema = @Schema(implementation = ExecutionView.class)))
    @RequestBody(content = @Content(schema = @Schema(implementation = ExecutionRequest.class)))
    public Response start(@PathParam("job") String named, JsonValue body) {
        Job job = job(named);
        return underWay(job, jobs.start(ExecutionRequest.of(body).order(job)));
    }

    @GET
    @Path("{job}/executions/{execution}")
    @Operation(
            operationId = "getExecution",
            summary = "An execution: how far it is, or what came of it")
    public ExecutionView execution(
            @PathParam("job") String named, @PathParam("execution") String execution) {
        Job job = job(named);
        return ExecutionView.of(jobs.get(job, id(job, execution)));
    }

    @POST
    @Path("{job}/executions/{execution}/stop")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.JOB_STOP, type = "job", id = "job")
    @Operation(
            operationId = "stopExecution",
            summary = "Have an execution end with the chunk it is at; it can be restarted")
    @Refuses(Reason.EXECUTION_NOT_RUNNING)
    @APIResponse(
            responseCode = "202",
            description = "It was asked to",
            content = @Content(schema = @Schema(implementation = ExecutionView.class)))
    public Response stop(@PathParam("job") String named, @PathParam("execution") String execution) {
        Job job = job(named);
        long id = id(job, execution);
        jobs.stop(job, id);
        return underWay(job, id);
    }

    @POST
    @Path("{job}/executions/{execution}/restart")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.JOB_RESTART, type = "job", id = "job")
    @Operation(
            operationId = "restartExecution",
            summary = "Go on, as a new execution, with one that failed or was stopped")
    @Refuses({Reason.EXECUTION_NOT_RESTARTABLE, Reason.JOB_RUNNING})
    @APIResponse(
            responseCode = "202",
            description = "The new one is under way at Location",
            content = @Content(schema = @Schema(implementation = ExecutionView.class)))
    public Response restart(
            @PathParam("job") String named, @PathParam("execution") String execution) {
        Job job = job(named);
        return underWay(job, jobs.restart(job, id(job, execution)));
    }

    @GET
    @Path("{job}/findings")
    @Operation(
            operationId = "listFindings",
            summary = "What the last run of a job found that a person should look at")
    public FindingPage findings(
            @PathParam("job") String named,
            @QueryParam("after") String after,
            @QueryParam("limit") @DefaultValue("50") String limit) {
        Job job = job(named);
        int most = Cursor.limitSaid(limit);
        List<Finding.Found> found =
                findings.list(
                        job.id(), Optional.ofNullable(after).map(JobsResource::place), most + 1);
        List<FindingView> page = found.stream().limit(most).map(FindingView::of).toList();
        return new FindingPage(
                page, found.size() > most ? token(found.get(most - 1).finding()) : null);
    }

    private JobView view(Job job) {
        return JobView.of(
                job,
                schedule.calendar(job).orElse(null),
                schedule.next(job).orElse(null),
                executions.list(job, Optional.empty(), 1).stream()
                        .findFirst()
                        .map(ExecutionView::of)
                        .orElse(null),
                findings.count(job.id()));
    }

    private Response underWay(Job job, long execution) {
        return Response.accepted(ExecutionView.of(jobs.get(job, execution)))
                .header(
                        HttpHeaders.LOCATION,
                        "/api/v1/admin/jobs/" + job + "/executions/" + execution)
                .build();
    }

    private static Job job(String named) {
        return Job.of(named)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.JOB_NOT_FOUND,
                                        "There is no such job. There are "
                                                + Arrays.stream(Job.values())
                                                        .map(Job::id)
                                                        .collect(Collectors.joining(", "))
                                                + "."));
    }

    private static long id(Job job, String text) {
        return number(text)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.EXECUTION_NOT_FOUND,
                                        "An execution of "
                                                + job
                                                + " is named by its ID, a whole number."));
    }

    private static Optional<Long> number(String text) {
        return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    private static String token(Finding last) {
        return Token.of(last.reason() + " " + last.subject());
    }

    private static Finding.Place place(String token) {
        String text = Token.read(token).orElse("");
        int gap = text.indexOf(' ');
        if (gap > 0 && text.indexOf('\0') < 0) {
            return new Finding.Place(text.substring(gap + 1), text.substring(0, gap));
        }
        throw Problem.invalid("after", "\"after\" is the \"next\" of the page before it.");
    }
}
