package dev.holdfast.api;

import dev.holdfast.access.Allowance;
import dev.holdfast.access.ProjectTerms;
import dev.holdfast.access.Slug;
import dev.holdfast.problem.Problem;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What the service asks to be changed of a project, or wants a new one to be. */
final class TermsChange implements UnaryOperator<ProjectTerms> {
    private static final String NAME = "name";
    private static final String SLUG = "slug";
    private static final String PLAN = "plan";
    private static final String SERVICE_LIMIT = "serviceLimit";
    private static final String RETENTION = "retentionSeconds";
    private static final String LONGEST = "longestRetentionSeconds";
    private static final Set<String> MEMBERS =
            Set.of(NAME, SLUG, PLAN, SERVICE_LIMIT, RETENTION, LONGEST);

    private final Change change;

    private TermsChange(Change change) {
        this.change = change;
    }

    static TermsChange of(JsonValue body) {
        return new TermsChange(Change.of(body, MEMBERS));
    }

    /** All that a new project is to be, where nothing is said as others are. */
    ProjectTerms fresh(Allowance usual) {
        if (change.text(NAME).isEmpty()) {
            throw Problem.invalid(NAME, "\"name\" is missing.");
        }
        return apply(
                new ProjectTerms(
                        "new",
                        Optional.empty(),
                        usual,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    @Override
    public ProjectTerms apply(ProjectTerms before) {
        String name = change.has(NAME) ? change.text(NAME).orElse("") : before.name();
        Allowance plan = plan(before);
        return before.called(
                        name, change.has(SLUG) ? change.text(SLUG).map(Slug::new) : before.slug())
                .allowed(plan, serviceLimit(before, plan))
                .keeping(
                        seconds(RETENTION, before.retention()),
                        seconds(LONGEST, before.longestRetention()));
    }

    /** Whether it touches how long snapshots are kept. */
    boolean keeps() {
        return change.has(RETENTION) || change.has(LONGEST);
    }

    private Allowance plan(ProjectTerms before) {
        if (change.isNull(PLAN)) {
            throw Problem.invalid(PLAN, "A project always has a plan; \"plan\" cannot be null.");
        }
        return change.object(PLAN, AllowanceView.MEMBERS)
                .map(asked -> AllowanceView.changed(before.plan(), asked))
                .orElse(before.plan());
    }

    /** One that is set in part is for the rest what is enforced now. */
    private Optional<Allowance> serviceLimit(ProjectTerms before, Allowance plan) {
        if (!change.has(SERVICE_LIMIT)) {
            return before.serviceLimit();
        }
        return change.object(SERVICE_LIMIT, AllowanceView.MEMBERS)
                .map(asked -> AllowanceView.changed(before.serviceLimit().orElse(plan), asked));
    }

    private Optional<Duration> seconds(String name, Optional<Duration> before) {
        return change.has(name) ? change.seconds(name) : before;
    }
}
