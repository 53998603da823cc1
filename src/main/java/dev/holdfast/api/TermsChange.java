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
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.media.SchemaProperty;

/** What the service asks to be changed of a project, or wants a new one to be. */
@Schema(
        name = "ProjectTerms",
        type = SchemaType.OBJECT,
        additionalProperties = Schema.False.class,
        properties = {
            @SchemaProperty(
                    name = "name",
                    type = SchemaType.STRING,
                    minLength = 1,
                    maxLength = 128,
                    description = "For people; a new project needs one",
                    examples = "Claims"),
            @SchemaProperty(
                    name = "slug",
                    type = SchemaType.STRING,
                    nullable = true,
                    pattern = "^[a-z0-9_-]{1,128}$",
                    description = "Its name in qualified snapshot names; null takes it away"),
            @SchemaProperty(
                    name = "plan",
                    implementation = AllowanceRequest.class,
                    description = "What was sold; what is left out stays"),
            @SchemaProperty(
                    name = "serviceLimit",
                    implementation = AllowanceRequest.class,
                    type = SchemaType.OBJECT,
                    nullable = true,
                    description = "What is enforced instead; null: the plan"),
            @SchemaProperty(
                    name = "retentionSeconds",
                    type = SchemaType.INTEGER,
                    nullable = true,
                    minimum = "1",
                    maximum = "3153600000",
                    description =
                            "How long snapshots are kept that are saved from now on; null: as long as the service has it"),
            @SchemaProperty(
                    name = "longestRetentionSeconds",
                    type = SchemaType.INTEGER,
                    nullable = true,
                    minimum = "1",
                    maximum = "3153600000",
                    description = "How long any may be kept; null: as long as the service has it"),
            @SchemaProperty(
                    name = "auditRetentionSeconds",
                    type = SchemaType.INTEGER,
                    nullable = true,
                    minimum = "2592000",
                    maximum = "315360000",
                    description = "How long its audit is kept; null: as long as the service has it")
        })
final class TermsChange implements UnaryOperator<ProjectTerms> {
    private static final String NAME = "name";
    private static final String SLUG = "slug";
    private static final String PLAN = "plan";
    private static final String SERVICE_LIMIT = "serviceLimit";
    private static final String RETENTION = "retentionSeconds";
    private static final String LONGEST = "longestRetentionSeconds";
    private static final String AUDIT = "auditRetentionSeconds";
    private static final Set<String> MEMBERS =
            Set.of(NAME, SLUG, PLAN, SERVICE_LIMIT, RETENTION, LONGEST, AUDIT);

    @Schema(hidden = true)
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
                        seconds(LONGEST, before.longestRetention()))
                .auditedFor(seconds(AUDIT, before.auditRetention()));
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
