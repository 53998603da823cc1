package dev.holdfast.workbench;

import dev.holdfast.restore.Opening;
import dev.holdfast.sandbox.AtTimeout;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkOverride;
import dev.holdfast.volume.Wishes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The configuration a session will run with, under a name: what may be chosen of a sandbox that is
 * made from a template or a snapshot. What is empty is as the snapshot has it, or as a fresh
 * sandbox has it.
 *
 * @param about one line for who chooses
 * @param lifetime how long a session lives unless it is extended, and by how much it is
 * @param idle how long nobody may use it
 * @param internet whether it may reach the internet
 * @param onTimeout what happens when its time is over
 */
public record Profile(
        String name,
        String about,
        Duration lifetime,
        Optional<Duration> idle,
        Optional<Boolean> internet,
        Optional<AtTimeout> onTimeout) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");
    private static final int LONGEST_ABOUT = 200;

    public Profile {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A profile is called by 1 to 40 of [a-z0-9_-], not \"" + name + "\"");
        }
        if (about.length() > LONGEST_ABOUT) {
            throw new IllegalArgumentException(
                    "What is said of profile " + name + " has at most 200 characters");
        }
        if (lifetime.toSeconds() < 1 || idle.filter(some -> some.toSeconds() < 1).isPresent()) {
            throw new IllegalArgumentException(
                    "The times of profile " + name + " are at least a second");
        }
        Objects.requireNonNull(internet);
        Objects.requireNonNull(onTimeout);
    }

    /** The same with no longer times than a project allows. */
    Profile within(Duration longest) {
        return new Profile(
                name,
                about,
                shorter(lifetime, longest),
                idle.map(asked -> shorter(asked, longest)),
                internet,
                onTimeout);
    }

    /** A session of it, from a template with volumes or from a snapshot with its own. */
    Opening opening(String reference, Wishes mounting) {
        return new Opening(
                reference,
                Optional.empty(),
                lifetime,
                idle,
                Optional.empty(),
                new NetworkOverride(
                        internet, List.of(), List.of(), Optional.empty(), Optional.empty()),
                onTimeout.map(then -> new Lifecycle(then, false)),
                Optional.empty(),
                Map.of(),
                mounting,
                Optional.empty());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
