package dev.holdfast.e2b;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.Caller;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;

/**
 * A project as E2B's team.
 *
 * @param apiKey masked: the whole one is shown once, when it is issued
 */
public record TeamView(String teamID, String name, String slug, String apiKey, boolean isDefault) {
    static TeamView of(Project project, Caller caller) {
        return new TeamView(
                project.id().toString(),
                project.name(),
                project.slug().map(Slug::value).orElse(null),
                caller.key().map(ApiKey::masked).orElse(""),
                true);
    }
}
