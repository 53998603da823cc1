package dev.holdfast.autosave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.worker.Reading;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActivityTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private final Activity activity = new Activity(3);

    @Test
    void countsAsChangedUntilItWasCaptured() {
        activity.see(reading("m", 0, 1000, 10, 0, 0, false));
        assertThat(activity.hasChanged()).as("nobody knows what went on before").isTrue();

        activity.captured();
        activity.see(reading("m", 5, 1000, 10, 0, 1, false));
        assertThat(activity.hasChanged()).isFalse();
    }

    @Test
    void countsAsChangedWhenItsCaptureComesToNothing() {
        activity.see(reading("m", 0, 1000, 10, 0, 0, false));
        activity.captured();
        assertThat(activity.isBeingSaved()).isTrue();

        activity.notSaved();
        activity.see(reading("m", 5, 1000, 10, 0, 1, false));
        assertThat(activity.hasChanged()).isTrue();
        assertThat(activity.isBeingSaved()).isFalse();

        activity.captured();
        activity.saved();
        activity.see(reading("m", 10, 1000, 10, 0, 2, false));
        assertThat(activity.hasChanged()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        // machine, cpu ms, disk, visits, times saved, saving: whether it has changed
        "m, 1000, 10, 3, 1, false, false",
        "m, 1150, 10, 3, 1, false, false", // 3 % of 5 s
        "m, 1151, 10, 3, 1, false, true",
        "m, 1000, 11, 3, 1, false, true",
        "m, 1000,  9, 3, 1, false, true",
        "m, 1000, 10, 4, 1, false, true",
        "m, 4000, 10, 3, 2, false, false", // the work of being saved
        "m, 4000, 10, 3, 1, true,  false",
        "m, 4000, 65546, 3, 2, true, false", // and its notes
        "m, 4000, 65547, 3, 2, true, true",
        "n,    0, 10, 3, 1, false, true", // it went on elsewhere
    })
    void seesWhoComesWhatIsWrittenAndWhatWorks(
            String machine,
            long cpu,
            long disk,
            long visits,
            long saved,
            boolean saving,
            boolean changed) {
        activity.see(reading("m", 0, 1000, 10, 3, 1, false));
        activity.captured();

        activity.see(reading(machine, 5, cpu, disk, visits, saved, saving));
        assertThat(activity.hasChanged()).isEqualTo(changed);
        activity.see(reading(machine, 10, cpu, disk, visits, saved, false));
        assertThat(activity.hasChanged()).as("it stays changed").isEqualTo(changed);
    }

    @Test
    void letsASandboxSettleAfterItWasSavedAndSeesThenWhoWorksOn() {
        activity.see(reading("m", 0, 1000, 10, 3, 1, false));
        activity.captured();
        long cpu = 1000;
        for (int second = 5; second <= 15; second += 5) {
            activity.see(reading("m", second, cpu += 4000, 10, 3, 2, false));
            assertThat(activity.hasChanged()).as("after %d s", second).isFalse();
        }

        activity.see(reading("m", 20, cpu + 4000, 10, 3, 2, false));
        assertThat(activity.hasChanged()).isTrue();
    }

    private static Reading reading(
            String machine,
            long second,
            long cpu,
            long disk,
            long visits,
            long saved,
            boolean saving) {
        return new Reading(
                new SandboxId("iabcdefghij0123456789"),
                machine,
                NOW.plusSeconds(second),
                Duration.ofMillis(cpu),
                0,
                100,
                disk,
                visits,
                saved,
                saving);
    }
}
