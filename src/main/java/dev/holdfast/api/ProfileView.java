package dev.holdfast.api;

import dev.holdfast.sandbox.AtTimeout;
import dev.holdfast.workbench.Profile;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What a session can run with.
 *
 * @param timeout how many seconds it lives, as far as the project allows
 * @param idleTimeout how many seconds nobody may use it; absent: as long as it lives
 * @param internet whether it reaches the internet; absent: as its snapshot has it, which is so of a
 *     fresh one
 * @param onTimeout what happens when its time is over; absent: as its snapshot has it
 */
@Schema(
        name = "Profile",
        requiredProperties = {"name", "about", "timeout"})
public record ProfileView(
        @Schema(examples = "standard") String name,
        @Schema(examples = "One hour. What it may reach is as the snapshot has it.") String about,
        @Schema(examples = "3600") long timeout,
        Long idleTimeout,
        Boolean internet,
        @Schema(enumeration = {"end", "pause"}) String onTimeout) {

    static ProfileView of(Profile profile) {
        return new ProfileView(
                profile.name(),
                profile.about(),
                profile.lifetime().toSeconds(),
                profile.idle().map(Duration::toSeconds).orElse(null),
                profile.internet().orElse(null),
                profile.onTimeout().map(ProfileView::word).orElse(null));
    }

    private static String word(AtTimeout then) {
        return then.pauses() ? "pause" : "end";
    }
}
