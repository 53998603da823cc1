package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxChoices;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxListing;
import dev.holdfast.sandbox.SandboxQuery;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.template.Template;
import dev.holdfast.template.Templates;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The list of sandboxes. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class SandboxListResource {

    @Inject Caller caller;
    @Inject SandboxListing listing;
    @Inject Templates templates;

    @GET
    @Path("{path: (v2/)?sandboxes}")
    public Response list(
            @QueryParam("metadata") String metadata,
            @QueryParam("state") List<String> states,
            @QueryParam("order") String order,
            @QueryParam("startedAfter") String startedAfter,
            @QueryParam("template") String template,
            @QueryParam("limit") String limit,
            @QueryParam("nextToken") String nextToken) {
        boolean ascending = isAscending(order);
        Paging paging =
                Paging.read(ascending ? "sandboxes-asc" : "sandboxes-desc", limit, nextToken);
        Optional<String> templateId = Optional.ofNullable(template).filter(t -> !t.isEmpty());
        if (templateId.isPresent()) {
            templateId = templateId(templateId.get());
            if (templateId.isEmpty()) {
                return answer(List.of(), paging);
            }
        }
        SandboxQuery query =
                new SandboxQuery(
                        states(states),
                        metadata(metadata),
                        templateId,
                        moment(startedAfter),
                        ascending,
                        paging.after().map(SandboxListResource::place),
                        paging.limit() + 1);
        return answer(listing.list(caller.project(), query), paging);
    }

    private Response answer(List<Sandbox> found, Paging paging) {
        List<Sandbox> page = found.stream().limit(paging.limit()).toList();
        Response.ResponseBuilder answer =
                Response.ok(page.stream().map(ListedSandboxView::of).toList())
                        .header(E2b.TOTAL_RUNNING, listing.countRunning(caller.project()));
        if (found.size() > page.size()) {
            Sandbox last = page.get(page.size() - 1);
            answer.header(
                    E2b.NEXT_TOKEN,
                    paging.token(last.startedAt().orElseThrow(), last.id().value()));
        }
        return answer.build();
    }

    private Optional<String> templateId(String reference) {
        if (reference.indexOf(':') >= 0) {
            throw invalid("template", "is a template's name or ID without a tag");
        }
        return templates.find(caller.project(), reference).map(Template::id).map(Object::toString);
    }

    private static SandboxQuery.Place place(Paging.Place place) {
        if (!SandboxId.isWellFormed(place.id())) {
            throw Paging.foreign();
        }
        return new SandboxQuery.Place(place.moment(), new SandboxId(place.id()));
    }

    private static boolean isAscending(String order) {
        if (order == null || order.isEmpty() || order.equals("desc")) {
            return false;
        }
        if (order.equals("asc")) {
            return true;
        }
        throw invalid("order", "is asc or desc");
    }

    private static Set<SandboxState> states(List<String> asked) {
        Set<SandboxState> states = EnumSet.noneOf(SandboxState.class);
        asked.stream()
                .flatMap(text -> List.of(text.split(",")).stream())
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .forEach(
                        word -> {
                            switch (word) {
                                case "running" -> states.addAll(SandboxQuery.RUNNING);
                                case "paused" -> states.addAll(SandboxQuery.PAUSED);
                                default -> throw invalid("state", "is running, paused or both");
                            }
                        });
        if (states.isEmpty()) {
            states.addAll(SandboxQuery.RUNNING);
            states.addAll(SandboxQuery.PAUSED);
        }
        return states;
    }

    /** Clients encode the whole and then each key and value once more. */
    private static Map<String, String> metadata(String query) {
        if (query == null || query.isEmpty()) {
            return Map.of();
        }
        Map<String, String> metadata = new LinkedHashMap<>();
        for (String pair : decode(query).split("&")) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw invalid("metadata", "is made of key=value pairs joined by &");
            }
            metadata.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
        }
        return SandboxChoices.bounded("metadata", metadata);
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw invalid("metadata", "is percent-encoded UTF-8");
        }
    }

    private static Optional<Instant> moment(String text) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Moments.storable(OffsetDateTime.parse(text).toInstant()));
        } catch (DateTimeException e) {
            throw invalid("startedAfter", "is a moment like 2026-01-31T12:00:00Z");
        }
    }

    private static Problem invalid(String parameter, String rule) {
        return Problem.invalid(parameter, "\"" + parameter + "\" " + rule + ".");
    }
}
