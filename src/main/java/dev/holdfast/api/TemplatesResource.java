package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.build.BuildConfig;
import dev.holdfast.build.Builds;
import dev.holdfast.build.Incoming;
import dev.holdfast.gateway.IncomingBody;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import dev.holdfast.template.TemplateName;
import dev.holdfast.template.TemplateOrder;
import dev.holdfast.template.Templates;
import dev.holdfast.worker.WorkerConfig;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Templates: the project's own and the built-in ones. */
@Tag(name = "templates")
@Path("/projects/{project}/templates")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class TemplatesResource {

    private static final int MOST_CPUS = 64;
    private static final int LEAST_MEMORY = 128;
    private static final int LEAST_DISK = 256;
    private static final int MOST_MEBIBYTES = 1 << 20;

    @Inject BuildConfig config;
    @Inject Builds builds;
    @Inject Caller caller;
    @Inject Scope scope;
    @Inject Templates templates;
    @Inject WorkerConfig usual;

    @GET
    @RolesAllowed({Permission.Word.SANDBOXES_USE, Permission.Word.SNAPSHOTS_READ})
    @Operation(
            operationId = "listTemplates",
            summary = "Lists the project's own templates and the built-in ones")
    public TemplatesView list(@PathParam("project") String project) {
        return new TemplatesView(
                templates.list(scope.project(project).id()).stream()
                        .map(TemplateView::of)
                        .toList());
    }

    @GET
    @Path("{template}")
    @RolesAllowed({Permission.Word.SANDBOXES_USE, Permission.Word.SNAPSHOTS_READ})
    @Operation(
            operationId = "getTemplate",
            summary = "Shows a template, by ID or by name, and how far its image is")
    public TemplateView get(
            @PathParam("project") String project, @PathParam("template") String reference) {
        return templates
                .find(scope.project(project).id(), reference)
                .map(TemplateView::of)
                .orElseThrow(() -> notFound(reference));
    }

    @POST
    @Consumes({
        "application/x-tar",
        "application/gzip",
        "application/x-gzip",
        "application/zstd",
        MediaType.APPLICATION_OCTET_STREAM
    })
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Operation(
            operationId = "createTemplate",
            summary = "Makes a template from an archive",
            description =
                    "The body is a tar archive of a root file system, an OCI archive or a docker"
                            + " archive, plain or packed by gzip or zstd. The answer comes when"
                            + " the archive is there whole; the image is built after it.")
    @Audited(value = Action.TEMPLATE_UPLOAD, type = "template")
    @Refuses({
        Reason.MALFORMED_NAME,
        Reason.QUOTA_COUNT_EXCEEDED,
        Reason.NAME_TAKEN,
        Reason.GENERATION_UNSUPPORTED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_BUSY
    })
    @APIResponse(
            responseCode = "202",
            description = "Taken; its address says how far it is",
            content = @Content(schema = @Schema(implementation = TemplateView.class)))
    public void create(
            @PathParam("project") String project,
            @QueryParam("name")
                    @Parameter(
                            description = "No other of the project may have it",
                            required = true,
                            schema = @Schema(pattern = "^[a-z0-9][a-z0-9_-]{0,63}$"),
                            example = "claims-tools")
                    String name,
            @QueryParam("cpus")
                    @Parameter(
                            description = "Of a sandbox made from it",
                            schema = @Schema(minimum = "1", maximum = "64"))
                    Integer cpus,
            @QueryParam("memoryMib")
                    @Parameter(
                            description = "Of a sandbox made from it, in MiB",
                            schema = @Schema(minimum = "128", maximum = "1048576"))
                    Integer memory,
            @QueryParam("diskMib")
                    @Parameter(
                            description = "Of a sandbox made from it, in MiB",
                            schema = @Schema(minimum = "256", maximum = "1048576"))
                    Integer disk,
            @QueryParam("generation")
                    @Parameter(
                            description = "Of the runtime; 2 can be saved",
                            schema = @Schema(minimum = "1", maximum = "2"))
                    Integer generation,
            @Context HttpServletRequest servlet,
            @Context UriInfo uri,
            @Suspended AsyncResponse response)
            throws IOException {
        ProjectId owner = scope.project(project).id();
        TemplateOrder order =
                new TemplateOrder(
                        TemplateId.random(),
                        owner,
                        TemplateName.of(name),
                        within("generation", generation, 2, 1, 2),
                        size(cpus, memory, disk),
                        usual.id(),
                        config.deadline(),
                        caller.principal().text());
        Incoming incoming = builds.begin(order, servlet.getContentLengthLong());
        Response accepted =
                Response.accepted(TemplateView.of(incoming.template()))
                        .location(uri.getAbsolutePathBuilder().path(order.id().value()).build())
                        .build();
        IncomingBody.receive(
                new TemplateUpload(incoming, accepted),
                "archive",
                servlet.getInputStream(),
                response);
    }

    @DELETE
    @Path("{template}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Operation(
            operationId = "deleteTemplate",
            summary = "Deletes a template",
            description = "Snapshots and sandboxes made from it stay as they are.")
    @APIResponse(responseCode = "204", description = "Deleted, and its name is free")
    @Audited(value = Action.TEMPLATE_DELETE, type = "template", id = "template")
    @Refuses(Reason.TEMPLATE_BUILT_IN)
    public void delete(
            @PathParam("project") String project, @PathParam("template") String reference) {
        if (!templates.delete(scope.project(project).id(), reference)) {
            throw notFound(reference);
        }
    }

    private Size size(Integer cpus, Integer memory, Integer disk) {
        Size preset = usual.size();
        return new Size(
                within("cpus", cpus, preset.cpus(), 1, MOST_CPUS),
                within("memoryMib", memory, preset.memoryMebibytes(), LEAST_MEMORY, MOST_MEBIBYTES),
                within("diskMib", disk, preset.diskMebibytes(), LEAST_DISK, MOST_MEBIBYTES));
    }

    private static int within(String parameter, Integer asked, int preset, int least, int most) {
        int value = asked == null ? preset : asked;
        if (value < least || value > most) {
            throw Problem.invalid(
                    parameter,
                    "\"" + parameter + "\" is a number from " + least + " to " + most + ".");
        }
        return value;
    }

    private static Problem notFound(String reference) {
        return new Problem(
                Reason.TEMPLATE_NOT_FOUND, "There is no template \"" + reference + "\".");
    }
}
