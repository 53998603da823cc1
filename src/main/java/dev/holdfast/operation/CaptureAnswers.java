package dev.holdfast.operation;

import dev.holdfast.access.Project;
import dev.holdfast.capture.CaptureOrder;
import dev.holdfast.capture.Captures;
import dev.holdfast.problem.OperationAddress;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Operations;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Takes an order for a capture and answers as its caller prefers, in any dialect. */
@ApplicationScoped
public class CaptureAnswers {

    @Inject Captures captures;
    @Inject Operations operations;
    @Inject Snapshots snapshots;

    /**
     * Has a capture accepted, frees its name of an expired holder first, waits without a thread and
     * answers 201, or 202 with the operation if the caller takes that.
     *
     * @param saved what 201 says
     */
    public CompletionStage<Response> answer(
            Project project,
            CaptureOrder order,
            Preference preference,
            Function<Snapshot, Response.ResponseBuilder> saved) {
        order.name().ifPresent(name -> snapshots.freeExpiredName(project.id(), name));
        UploadId upload = captures.accept(order);
        return preference.answer(
                captures.patience(),
                patience -> captures.saved(project.id(), upload, patience),
                Reason.CAPTURE_IN_PROGRESS,
                saved,
                () -> accepted(project, upload));
    }

    private Response.ResponseBuilder accepted(Project project, UploadId upload) {
        return Response.accepted(
                        OperationView.of(operations.get(project.id(), upload), project.slug()))
                .header(HttpHeaders.LOCATION, OperationAddress.of(project.id(), upload));
    }
}
