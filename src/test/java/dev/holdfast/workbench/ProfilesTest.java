package dev.holdfast.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.AtTimeout;
import dev.holdfast.volume.Wishes;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilesTest {

    @Test
    @Tag("R36")
    void hasThoseOfTheInstallationBehindTheBuiltInOnes() {
        var read =
                Profiles.read(
                        "training lifetime=PT8H idle=PT30M internet=off timeout=pause ; offline"
                                + " lifetime=PT5M");

        assertThat(read.keySet()).containsExactly("standard", "offline", "long", "training");
        assertThat(read.get("offline").lifetime()).isEqualTo(Duration.ofMinutes(5));
        var training = read.get("training");
        assertThat(training.lifetime()).isEqualTo(Duration.ofHours(8));
        assertThat(training.idle()).contains(Duration.ofMinutes(30));
        assertThat(training.internet()).contains(false);
        assertThat(training.onTimeout()).contains(AtTimeout.PAUSE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Training",
                "a lifetime",
                "a lifetime=soon",
                "a lifetime=PT0S",
                "a internet=maybe",
                "a timeout=never",
                "a idle=PT1M idle=PT2M",
                "a colour=red"
            })
    void refusesWhatAnOperatorMistyped(String text) {
        assertThatThrownBy(() -> Profiles.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("R36")
    void isNoLongerThanAProjectAllows() {
        var profiles = profiles();

        assertThat(profiles.within(Duration.ofMinutes(10)))
                .extracting(Profile::lifetime)
                .containsOnly(Duration.ofMinutes(10));
        assertThat(profiles.named(Optional.empty(), Duration.ofDays(1)).name())
                .isEqualTo("standard");
        assertThatThrownBy(() -> profiles.named(Optional.of("fast"), Duration.ofDays(1)))
                .isInstanceOfSatisfying(
                        Problem.class,
                        refused -> {
                            assertThat(refused.reason()).isEqualTo(Reason.INVALID_PARAMETER);
                            assertThat(refused).hasMessageContaining("standard, offline, long");
                        });
    }

    @Test
    void leavesToASnapshotWhatItDoesNotSay() {
        var opening =
                profiles()
                        .named(Optional.of("standard"), Duration.ofDays(1))
                        .opening("base", Wishes.NONE);

        assertThat(opening.network().internet()).isEmpty();
        assertThat(opening.secured()).isEmpty();
        assertThat(opening.metadata()).isEmpty();
        assertThat(opening.environment()).isEmpty();
    }

    private static Profiles profiles() {
        var profiles = new Profiles();
        profiles.config = new WorkbenchConfig();
        profiles.config.profiles = Optional.empty();
        profiles.read();
        return profiles;
    }
}
