package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.event.EventId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.webhook.Deliveries;
import dev.holdfast.webhook.Delivery;
import dev.holdfast.webhook.Steps;
import dev.holdfast.webhook.Webhook;
import dev.holdfast.webhook.WebhookId;
import dev.holdfast.webhook.Webhooks;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Who is told what happens in a project. */
@Tag(name = "webhooks")
@Path("/projects/{project}/webhooks")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
@RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
public class WebhooksResource {
    @Inject Caller caller;
    @Inject Deliveries deliveries;
    @Inject Scope scope;
    @Inject Webhooks webhooks;

    @GET
    @Operation(
            operationId = "listWebhooks",
            summary = "The webhooks of a project, the oldest first, without their secrets")
    public WebhooksView list(@PathParam("project") String project) {
        return new WebhooksView(webhooks.list(of(project)).stream().map(WebhookView::of).toList());
    }

    @POST
    @Audited(value = Action.WEBHOOK_CREATE, type = "webhook")
    @Operation(
            operationId = "addWebhook",
            summary = "Tell an address what happens from now on; the secret is shown once")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = WebhookRequest.class)))
    @APIResponse(
            responseCode = "201",
            description = "The webhook, its secret in the member secret",
            content = @Content(schema = @Schema(implementation = WebhookView.class)))
    @Refuses(Reason.WEBHOOK_LIMIT_REACHED)
    public Response add(@PathParam("project") String project, JsonValue body) {
        ProjectId id = of(project);
        Webhook made = webhooks.add(id, WebhookRequest.fresh(body), caller.principal());
        return Response.created(URI.create("/api/v1/projects/" + id + "/webhooks/" + made.id()))
                .entity(WebhookView.of(made, webhooks.secret(made)))
                .build();
    }

    @GET
    @Path("{webhook}")
    @Operation(
            operationId = "getWebhook",
            summary = "A webhook without its secret, and whether it is taken for dead")
    public WebhookView get(
            @PathParam("project") String project, @PathParam("webhook") String webhook) {
        return WebhookView.of(found(project, webhook));
    }

    @PATCH
    @Path("{webhook}")
    @Audited(value = Action.WEBHOOK_CHANGE, type = "webhook", id = "webhook")
    @Operation(
            operationId = "changeWebhook",
            summary =
                    "Another url or other types, or enabled: what happened while it was disabled is"
                            + " sent then")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = WebhookRequest.class)))
    @APIResponse(responseCode = "200", description = "In force for every try from now on")
    public WebhookView change(
            @PathParam("project") String project,
            @PathParam("webhook") String webhook,
            JsonValue body) {
        WebhookRequest asked = WebhookRequest.change(body);
        ProjectId id = of(project);
        Webhook changed = webhooks.change(id, id(webhook), asked, asked.enabled());
        asked.enabled()
                .filter(enabled -> enabled)
                .ifPresent(yes -> Steps.all(before -> deliveries.hasten(changed.id(), before)));
        return WebhookView.of(changed);
    }

    @DELETE
    @Path("{webhook}")
    @Audited(value = Action.WEBHOOK_DELETE, type = "webhook", id = "webhook")
    @Operation(
            operationId = "removeWebhook",
            summary = "Tell it nothing more and forget it and its deliveries")
    @APIResponse(responseCode = "204", description = "Gone")
    public void remove(@PathParam("project") String project, @PathParam("webhook") String webhook) {
        webhooks.remove(of(project), id(webhook));
        while (deliveries.purge(id(webhook)) > 0) {
            // one transaction each; what is left after a crash the job finds
        }
    }

    @POST
    @Path("{webhook}/rotate")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.WEBHOOK_ROTATE, type = "webhook", id = "webhook")
    @Operation(
            operationId = "rotateWebhook",
            summary = "Another secret, shown once; for a day both sign every delivery")
    @APIResponse(responseCode = "200", description = "The new secret in the member secret")
    public WebhookView rotate(
            @PathParam("project") String project, @PathParam("webhook") String webhook) {
        Webhook rotated = webhooks.rotate(of(project), id(webhook));
        return WebhookView.of(rotated, webhooks.secret(rotated));
    }

    @GET
    @Path("{webhook}/deliveries")
    @Operation(
            operationId = "listDeliveries",
            summary = "What was sent and what came of it, newest first; by state if asked")
    public DeliveryPage deliveries(
            @PathParam("project") String project,
            @PathParam("webhook") String webhook,
            @QueryParam("state")
                    @Parameter(
                            description = "What became of it",
                            schema = @Schema(enumeration = {"pending", "delivered", "failed"}))
                    String state,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        int most = Cursor.limit(limit);
        List<Delivery> found =
                deliveries.list(
                        found(project, webhook).id(),
                        Optional.ofNullable(state).map(WebhooksResource::state),
                        Optional.ofNullable(after).map(text -> EventFilters.id("after", text)),
                        most + 1);
        List<DeliveryView> page = found.stream().limit(most).map(DeliveryView::of).toList();
        return new DeliveryPage(page, found.size() > most ? page.get(most - 1).id() : null);
    }

    @POST
    @Path("{webhook}/deliveries/{event}/replay")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.WEBHOOK_REPLAY, type = "webhook", id = "webhook")
    @Operation(
            operationId = "replayDelivery",
            summary = "Send one delivery once more, under the same ID")
    @APIResponse(responseCode = "204", description = "It is on its way")
    public void replay(
            @PathParam("project") String project,
            @PathParam("webhook") String webhook,
            @PathParam("event") String event) {
        EventId which =
                EventId.parse(event)
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.DELIVERY_NOT_FOUND,
                                                "A delivery is named by the ID of its event."));
        deliveries.replay(found(project, webhook), which);
    }

    @POST
    @Path("{webhook}/replay")
    @Audited(value = Action.WEBHOOK_REPLAY, type = "webhook", id = "webhook")
    @Operation(
            operationId = "replayDeliveries",
            summary = "Send all once more that happened since then, under the same IDs")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = ReplayRequest.class)))
    @APIResponse(
            responseCode = "202",
            description = "How many are on their way",
            content = @Content(schema = @Schema(implementation = ReplayView.class)))
    public Response replaySince(
            @PathParam("project") String project,
            @PathParam("webhook") String webhook,
            JsonValue body) {
        Instant since =
                Asked.of(body, Set.of("since"))
                        .text("since")
                        .map(text -> Moment.read("since", text))
                        .orElseThrow(() -> Problem.invalid("since", "Give \"since\"."));
        Webhook found = found(project, webhook);
        return Response.accepted(
                        new ReplayView(
                                Steps.all(before -> deliveries.replay(found, since, before))))
                .build();
    }

    private Webhook found(String project, String webhook) {
        return webhooks.get(of(project), id(webhook));
    }

    private ProjectId of(String project) {
        return scope.administered(project).id();
    }

    private static WebhookId id(String text) {
        return WebhookId.parse(text)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.WEBHOOK_NOT_FOUND,
                                        "A webhook is named by its ID, a UUID."));
    }

    private static Delivery.State state(String word) {
        return Delivery.State.of(word)
                .orElseThrow(
                        () ->
                                Problem.invalid(
                                        "state", "\"state\" is pending, delivered or failed."));
    }
}
