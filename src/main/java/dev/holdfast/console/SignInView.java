package dev.holdfast.console;

import dev.holdfast.access.Allowance;
import dev.holdfast.access.ApiKey;
import dev.holdfast.access.Grants;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Person;
import dev.holdfast.access.Principal;
import dev.holdfast.access.Project;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who is signed in.
 *
 * @param principal as it stands on what they make
 * @param name what the key is called
 * @param shown how people tell the key from others
 * @param project the only one there is to choose; absent for a key of the service, and for a person
 *     who has several
 * @param projects of a person: those they may enter, with what they may in each
 * @param people what the persons of their projects are called, by their principals
 * @param csrf what to send in {@code X-Holdfast-Csrf} with changes; absent if a key was shown
 * @param endsAt when the sign-in is over, however much it is used
 * @param idleSeconds after how long without use it is over
 * @param openId the other way to sign in; absent where there is none
 */
public record SignInView(
        boolean signedIn,
        String principal,
        String name,
        String shown,
        ProjectView project,
        List<ProjectView> projects,
        Map<String, String> people,
        List<String> permissions,
        LimitsView limits,
        String csrf,
        Instant endsAt,
        Long idleSeconds,
        Offer.OpenId openId) {

    /**
     * A project.
     *
     * @param permissions what a person may there; absent for a key
     */
    public record ProjectView(String id, String name, String slug, List<String> permissions) {

        static ProjectView of(Project project) {
            return new ProjectView(
                    project.id().toString(),
                    project.name(),
                    project.slug().map(Slug::value).orElse(null),
                    null);
        }

        static ProjectView of(Project project, Set<Permission> permissions) {
            ProjectView plain = of(project);
            return new ProjectView(plain.id, plain.name, plain.slug, words(permissions));
        }
    }

    /** What is enforced in the project. */
    public record LimitsView(
            long bytes, int snapshots, int liveSandboxes, long longestLifetimeSeconds) {

        static LimitsView of(Allowance limit) {
            return new LimitsView(
                    limit.bytes(),
                    limit.snapshots(),
                    limit.liveSandboxes(),
                    limit.longestLifetime().toSeconds());
        }
    }

    static SignInView nobody() {
        return new SignInView(
                false, null, null, null, null, null, null, List.of(), null, null, null, null, null);
    }

    static SignInView of(ApiKey key, Optional<Project> project) {
        return new SignInView(
                true,
                Principal.key(key.id()).text(),
                key.name(),
                key.masked(),
                project.map(ProjectView::of).orElse(null),
                null,
                null,
                words(key.permissions()),
                project.map(Project::limit).map(LimitsView::of).orElse(null),
                null,
                null,
                null,
                null);
    }

    /**
     * @param open those of their projects that are not closed
     */
    static SignInView of(Person person, Grants grants, List<Project> open) {
        var projects =
                open.stream()
                        .map(each -> ProjectView.of(each, grants.in(Optional.of(each.id()))))
                        .toList();
        boolean settled = projects.size() == 1 && !grants.ofService();
        return new SignInView(
                true,
                person.principal().text(),
                person.name(),
                person.subject(),
                settled ? projects.get(0) : null,
                projects,
                null,
                words(grants.in(Optional.empty())),
                settled ? LimitsView.of(open.get(0).limit()) : null,
                null,
                null,
                null,
                null);
    }

    /** The projects that there are to choose. */
    Set<ProjectId> places() {
        return Stream.concat(
                        Stream.ofNullable(project),
                        Optional.ofNullable(projects).stream().flatMap(List::stream))
                .flatMap(each -> ProjectId.read(each.id()).stream())
                .collect(Collectors.toSet());
    }

    private static List<String> words(Set<Permission> permissions) {
        return permissions.stream().sorted().map(Permission::word).toList();
    }

    SignInView in(SignIn signIn, SignInSecret secret, Duration idle) {
        return new SignInView(
                signedIn,
                principal,
                name,
                shown,
                project,
                projects,
                people,
                permissions,
                limits,
                secret.token(),
                signIn.endsAt(),
                idle.toSeconds(),
                openId);
    }

    SignInView with(Map<String, String> names) {
        return new SignInView(
                signedIn,
                principal,
                name,
                shown,
                project,
                projects,
                names,
                permissions,
                limits,
                csrf,
                endsAt,
                idleSeconds,
                openId);
    }

    SignInView with(Offer.OpenId made) {
        return new SignInView(
                signedIn,
                principal,
                name,
                shown,
                project,
                projects,
                people,
                permissions,
                limits,
                csrf,
                endsAt,
                idleSeconds,
                made);
    }
}
