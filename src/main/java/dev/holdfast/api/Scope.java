package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Project;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Slug;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.retention.Policies;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;

/** The project that a path names. */
@RequestScoped
public class Scope {

    @Inject Caller caller;
    @Inject Policies policies;
    @Inject Projects projects;

    /**
     * The caller's own project by ID or slug.
     *
     * @throws Problem {@code project_not_found}, also for a project that is another's
     */
    public Project project(String named) {
        Project own = projects.get(caller.project());
        requireMeant(named, own);
        return own;
    }

    /**
     * The same, and for who administers the service any project: for what is about a project and
     * not in it.
     *
     * @throws Problem {@code project_not_found}
     */
    public Project administered(String named) {
        return caller.isOfService()
                ? projects.named(named).orElseThrow(() -> unknown(named))
                : project(named);
    }

    /**
     * The caller's own project with what rules it.
     *
     * @throws Problem {@code project_not_found}, also for a project that is another's
     */
    public Policies.Ruled ruled(String named) {
        Policies.Ruled own = policies.ruled(caller.project());
        requireMeant(named, own.project());
        return own;
    }

    private static void requireMeant(String named, Project own) {
        if (!named.equals(own.id().toString())
                && own.slug().map(Slug::value).filter(named::equals).isEmpty()) {
            throw unknown(named);
        }
    }

    private static Problem unknown(String named) {
        return new Problem(
                Reason.PROJECT_NOT_FOUND,
                "There is no project \"" + named + "\". Name it by its ID or its slug.");
    }
}
