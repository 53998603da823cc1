package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.inventory.Titles;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.LiveSandboxes;
import dev.holdfast.sandbox.LiveSelection;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxQuery;
import dev.holdfast.sandbox.SandboxState;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What runs and what is paused. */
@Tag(name = "sandboxes")
@Path("/projects/{project}/sandboxes")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class SandboxListResource {

    private static final int LONGEST_SEARCH = 400;
    private static final int LAST_PAGE = 1_000;

    @Inject Caller caller;
    @Inject LiveSandboxes sandboxes;
    @Inject Scope scope;
    @Inject Titles titles;

    @GET
    @Operation(
            operationId = "listSandboxes",
            summary = "The sandboxes that have not ended, page by page, the newest first")
    public SandboxPage list(
            @PathParam("project") String named,
            @QueryParam("search")
                    @Parameter(
                            description =
                                    "Only those with this in their ID, template, snapshot ID or a"
                                            + " value of their metadata",
                            schema = @Schema(maxLength = LONGEST_SEARCH))
                    String search,
            @QueryParam("state")
                    @Parameter(
                            description =
                                    "Only these, with what is on its way there; all if absent",
                            schema = @Schema(enumeration = {"running", "paused"}))
                    String state,
            @QueryParam("sort")
                    @Parameter(
                            description = "By when they were made, or when their time is over",
                            schema = @Schema(enumeration = {"created", "end"}))
                    String sort,
            @QueryParam("direction")
                    @Parameter(
                            description = "desc if absent",
                            schema = @Schema(enumeration = {"asc", "desc"}))
                    String direction,
            @QueryParam("page")
                    @Parameter(
                            description = "Which one, from 1",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "1000"))
                    String page,
            @QueryParam("limit") String limit) {
        Project project = scope.project(named);
        int most = Cursor.limit(limit);
        int number = page(page);
        LiveSelection selection =
                new LiveSelection(
                        states(state),
                        search(search),
                        oneOf("sort", sort, "created", "end").equals("end"),
                        oneOf("direction", direction, "desc", "asc").equals("asc"),
                        (number - 1) * most,
                        most);
        List<Sandbox> found = sandboxes.page(project.id(), selection);
        Map<UUID, String> names = names(project, found);
        return new SandboxPage(
                found.stream().map(each -> SandboxRowView.of(each, names)).toList(),
                number,
                sandboxes.count(project.id(), selection));
    }

    private Map<UUID, String> names(Project project, List<Sandbox> found) {
        return caller.actor().permissions().contains(Permission.SNAPSHOTS_READ)
                ? titles.of(
                        project.id(),
                        project.slug(),
                        found.stream().flatMap(each -> each.snapshot().stream()).toList())
                : Map.of();
    }

    private static Set<SandboxState> states(String word) {
        if (word == null || word.isEmpty()) {
            return EnumSet.complementOf(EnumSet.of(SandboxState.ENDED));
        }
        if (word.equals("paused")) {
            return SandboxQuery.PAUSED;
        }
        if (!word.equals("running")) {
            throw Problem.invalid("state", "\"state\" is running or paused.");
        }
        Set<SandboxState> running = EnumSet.copyOf(SandboxQuery.RUNNING);
        running.add(SandboxState.STARTING);
        return running;
    }

    private static Optional<String> search(String text) {
        if (text != null && (text.length() > LONGEST_SEARCH || text.indexOf('\0') >= 0)) {
            throw Problem.invalid(
                    "search", "\"search\" is a text of at most " + LONGEST_SEARCH + " characters.");
        }
        return Optional.ofNullable(text).map(String::strip).filter(each -> !each.isEmpty());
    }

    private static String oneOf(String parameter, String word, String usual, String other) {
        if (word == null || word.isEmpty() || word.equals(usual)) {
            return usual;
        }
        if (word.equals(other)) {
            return other;
        }
        throw Problem.invalid(
                parameter, "\"" + parameter + "\" is " + usual + " or " + other + ".");
    }

    private static int page(String text) {
        if (text == null || text.isEmpty()) {
            return 1;
        }
        if (!text.matches("[1-9]\\d{0,3}") || Integer.parseInt(text) > LAST_PAGE) {
            throw Problem.invalid("page", "\"page\" is a number from 1 to " + LAST_PAGE + ".");
        }
        return Integer.parseInt(text);
    }
}
