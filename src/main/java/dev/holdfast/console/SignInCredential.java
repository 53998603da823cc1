package dev.holdfast.console;

import dev.holdfast.access.Credential;
import dev.holdfast.access.Keys;
import dev.holdfast.access.Persons;
import dev.holdfast.access.Project;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Recognition;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.Set;

/**
 * The sign-in of a person in a browser, as one of the ways to show who is calling. It counts for
 * the native API and the console, and nowhere else: what the E2B SDKs call takes no cookie.
 */
@ApplicationScoped
public class SignInCredential implements Credential {

    static final String TOKEN_HEADER = "X-Holdfast-Csrf";

    /** The paths of the servlets as they were matched, whatever the request line looked like. */
    private static final Set<String> TAKEN = Set.of("/api/v1", ConsoleApplication.PATH);

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    @Inject SignInCookie cookie;
    @Inject SignIns signIns;
    @Inject Keys keys;
    @Inject Persons persons;
    @Inject Projects projects;

    @Override
    public Optional<Recognition> recognise(HttpServletRequest request) {
        return TAKEN.contains(request.getServletPath())
                ? cookie.read(request).map(secret -> recognise(request, secret))
                : Optional.empty();
    }

    private Recognition recognise(HttpServletRequest request, SignInSecret secret) {
        if (!SameOrigin.isPlausible(request) || !isSafe(request) && !isMeant(request, secret)) {
            return new Recognition.Refused(
                    Reason.CROSS_SITE_REQUEST,
                    "A sign-in is taken only from the console's own pages, and for changes with the"
                            + " header "
                            + TOKEN_HEADER
                            + ". Load the console again; programs send a key.");
        }
        return signIns.find(secret)
                .map(held -> recognised(held, request))
                .orElseGet(Recognition::ended);
    }

    private Recognition recognised(SignIns.Held held, HttpServletRequest request) {
        SignIn signIn = held.signIn();
        var recognition =
                signIn.key().map(keys::recognise).orElseGet(() -> recognised(signIn, request));
        if (recognition instanceof Recognition.Accepted && signIn.isDueAt(held.at())) {
            signIns.noteUse(signIn.id());
        }
        return recognition;
    }

    /** Who is signed in, and may leave, is nothing of a project. */
    private Recognition recognised(SignIn signIn, HttpServletRequest request) {
        if (ConsoleApplication.PATH.equals(request.getServletPath())) {
            return new Recognition.Accepted(signIn.person());
        }
        Optional<ProjectId> meant =
                MeantProject.in(request.getPathInfo()).flatMap(projects::named).map(Project::id);
        return persons.recognise(signIn.person(signIn.grants().orElseThrow().chosen(meant)));
    }

    private static boolean isSafe(HttpServletRequest request) {
        return SAFE.contains(request.getMethod());
    }

    private static boolean isMeant(HttpServletRequest request, SignInSecret secret) {
        return SameOrigin.isCertain(request) && secret.isToken(request.getHeader(TOKEN_HEADER));
    }
}
