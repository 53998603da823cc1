package dev.holdfast.console;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.Caller;
import dev.holdfast.access.Grants;
import dev.holdfast.access.KeySecret;
import dev.holdfast.access.Keys;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Person;
import dev.holdfast.access.Persons;
import dev.holdfast.access.Project;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Recognition;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Origin;
import dev.holdfast.audit.Outcome;
import dev.holdfast.audit.Refusals;
import dev.holdfast.audit.Subject;
import dev.holdfast.problem.BodyLimit;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;

/** The sign-in of the browser that asks. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class SignInResource {

    private static final int LONGEST_BODY = 1024;
    private static final String NO_STORE = "no-store";

    @Inject Attempts attempts;
    @Inject Caller caller;
    @Inject ConsoleConfig config;
    @Inject SignInCookie cookie;
    @Inject Keys keys;
    @Inject Offer offer;
    @Inject Persons persons;
    @Inject Projects projects;
    @Inject Refusals refusals;
    @Inject SignIns signIns;

    /** Whoever is not signed in is told so and not refused: a page asks this first. */
    @GET
    @PermitAll
    public Response get(@Context HttpServletRequest request) {
        SignInView view = caller.isSignedIn() ? current(request) : SignInView.nobody();
        return Response.ok(offer.openId().map(view::with).orElse(view))
                .header(HttpHeaders.CACHE_CONTROL, NO_STORE)
                .build();
    }

    private SignInView current(HttpServletRequest request) {
        Optional<SignInSecret> shown = cookie.read(request);
        SignInView view =
                caller.identity() instanceof Person person
                        ? shown.flatMap(signIns::find)
                                .map(held -> view(person, held.signIn()))
                                .orElseGet(SignInView::nobody) // has just left
                        : view(caller.key().orElseThrow());
        return shown.map(secret -> within(view, secret)).orElse(view);
    }

    @POST
    @PermitAll
    @BodyLimit(LONGEST_BODY)
    @Audited(value = Action.CONSOLE_SIGN_IN, type = "key")
    public Response signIn(SignInRequest body, @Context HttpServletRequest request) {
        if (!config.isServed()) {
            throw new Problem(Reason.NOT_FOUND, "This node has no console.");
        }
        if (!SameOrigin.isPlausible(request)) {
            throw new Problem(
                    Reason.CROSS_SITE_REQUEST, "Only the console's own page can sign somebody in.");
        }
        ApiKey key = taken(body, Origin.of(request));
        cookie.read(request).ifPresent(signIns::end);
        SignInSecret secret = signIns.begin(key);
        return Response.ok(within(view(key), secret))
                .header(HttpHeaders.CACHE_CONTROL, NO_STORE)
                .header(HttpHeaders.SET_COOKIE, cookie.set(request, secret))
                .build();
    }

    @DELETE
    @RolesAllowed({
        Permission.Word.SNAPSHOTS_READ,
        Permission.Word.SANDBOXES_USE,
        Permission.Word.SANDBOXES_MANAGE,
        Permission.Word.PROJECT_ADMIN,
        Permission.Word.SERVICE_ADMIN
    })
    @Audited(value = Action.CONSOLE_SIGN_OUT, type = "key")
    public Response signOut(@Context HttpServletRequest request) {
        Optional<String> next = cookie.read(request).flatMap(signIns::end);
        return next.map(address -> Response.ok(new FarewellView(address)))
                .orElseGet(Response::noContent)
                .header(HttpHeaders.SET_COOKIE, cookie.clear(request))
                .build();
    }

    private SignInView view(Person person, SignIn signIn) {
        Grants grants = signIn.grants().orElseThrow();
        List<Project> open =
                grants.projects().keySet().stream()
                        .flatMap(each -> projects.find(each).stream())
                        .filter(each -> !each.isClosed())
                        .toList();
        return named(SignInView.of(person, grants, open));
    }

    private SignInView named(SignInView view) {
        return view.with(persons.names(view.places()));
    }

    private SignInView view(ApiKey key) {
        return named(SignInView.of(key, key.project().map(projects::get)));
    }

    private SignInView within(SignInView view, SignInSecret secret) {
        return signIns.find(secret)
                .map(held -> view.in(held.signIn(), secret, config.idle()))
                .orElse(view);
    }

    private ApiKey taken(SignInRequest body, Origin origin) {
        attempts.begin(origin.address());
        Recognition recognition =
                KeySecret.read(body == null ? null : body.key())
                        .map(keys::recognise)
                        .orElseGet(Recognition::malformed);
        if (recognition instanceof Recognition.Accepted accepted
                && accepted.who() instanceof ApiKey key) {
            attempts.succeeded(origin.address());
            return key;
        }
        Recognition.Refused refused = (Recognition.Refused) recognition;
        refusals.tell(
                Deed.of(Action.CONSOLE_SIGN_IN, new Subject("key", "")),
                origin,
                Outcome.REFUSED,
                refused.reason().word());
        throw new Problem(refused.reason(), refused.why());
    }
}
