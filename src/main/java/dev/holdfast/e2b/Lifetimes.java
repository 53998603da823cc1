package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Projects;
import dev.holdfast.problem.Problem;
import dev.holdfast.restore.Opening;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.Optional;

/** The lifetimes that callers ask for, as long as their project allows. */
@RequestScoped
class Lifetimes {

    /** Where a call does not say. */
    private static final Duration USUAL = Duration.ofSeconds(300);

    @Inject Caller caller;
    @Inject Projects projects;

    /** The member {@code timeout} of a body. */
    Optional<Duration> of(JsonValue body) {
        Optional<Duration> lifetime = Members.of(body).seconds("timeout");
        lifetime.ifPresent(this::requireAllowed);
        return lifetime;
    }

    /** The same, or what is usual, as far as the project allows. */
    Duration orUsual(JsonValue body) {
        Duration longest = projects.get(caller.project()).limit().longestLifetime();
        return of(body).orElse(longest.compareTo(USUAL) < 0 ? longest : USUAL);
    }

    void requireAllowed(Duration lifetime) {
        requireAllowed("timeout", "Timeout", lifetime);
    }

    /** Its lifetime, and how long it may be idle, which longer than any lifetime means nothing. */
    void requireAllowed(Opening opening) {
        requireAllowed(opening.lifetime());
        opening.idle().ifPresent(idle -> requireAllowed("idleTimeout", "Idle timeout", idle));
    }

    private void requireAllowed(String parameter, String named, Duration asked) {
        Duration longest = projects.get(caller.project()).limit().longestLifetime();
        if (asked.compareTo(longest) > 0) {
            throw Problem.invalid(
                    parameter, named + " cannot be greater than " + words(longest) + ".");
        }
    }

    private static String words(Duration duration) {
        return duration.equals(Duration.ofHours(duration.toHours()))
                ? duration.toHours() + " hours"
                : duration.toSeconds() + " seconds";
    }
}
