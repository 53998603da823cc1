package dev.holdfast.console;

import dev.holdfast.access.Allowance;
import dev.holdfast.access.ApiKey;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Principal;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who is signed in.
 *
 * @param principal as it stands on what they make
 * @param name what the key is called
 * @param shown how people tell the key from others
 * @param project the one of the key; absent for a key of the service, which chooses one
 * @param csrf what to send in {@code X-Holdfast-Csrf} with changes; absent if a key was shown
 * @param endsAt when the sign-in is over, however much it is used
 * @param idleSeconds after how long without use it is over
 */
public record SignInView(
        boolean signedIn,
        String principal,
        String name,
        String shown,
        ProjectView project,
        List<String> permissions,
        LimitsView limits,
        String csrf,
        Instant endsAt,
        Long idleSeconds) {

    /** The project of the key. */
    public record ProjectView(String id, String name, String slug) {

        static ProjectView of(Project project) {
            return new ProjectView(
                    project.id().toString(),
                    project.name(),
                    project.slug().map(Slug::value).orElse(null));
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
        return new SignInView(false, null, null, null, null, List.of(), null, null, null, null);
    }

    static SignInView of(ApiKey key, Optional<Project> project) {
        return new SignInView(
                true,
                Principal.key(key.id()).text(),
                key.name(),
                key.masked(),
                project.map(ProjectView::of).orElse(null),
                key.permissions().stream().sorted().map(Permission::word).toList(),
                project.map(Project::limit).map(LimitsView::of).orElse(null),
                null,
                null,
                null);
    }

    SignInView in(SignIn signIn, SignInSecret secret, Duration idle) {
        return new SignInView(
                signedIn,
                principal,
                name,
                shown,
                project,
                permissions,
                limits,
                secret.token(),
                signIn.endsAt(),
                idle.toSeconds());
    }
}
