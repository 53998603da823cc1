package dev.holdfast.autosave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.UploadId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapturePolicyTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration PAUSE = Duration.ofMinutes(5);

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // every, timeout, kill, percent, keep, retention: what is wrong
                "-,     false, false, -,   5,   -, every",
                "0,     false, false, -,   5,   -, every",
                "-600,  false, false, -,   5,   -, every",
                "86401, false, false, -,   5,   -, every",
                "-,     false, false, 9,   5,   -, memoryPercent",
                "-,     false, false, 100, 5,   -, memoryPercent",
                "-,     true,  false, -,   0,   -, keepLast",
                "-,     true,  false, -,   101, -, keepLast",
                "-,     true,  false, -,   -1,  -, keepLast",
                "-,     false, true,  -,   5,   0, retention",
                "1,     false, false, -,   1,   1, -",
                "86400, false, false, -,   100, -, -",
                "-,     true,  false, -,   1,   -, -",
                "-,     false, true,  -,   1,   -, -",
                "-,     false, false, 10,  1,   -, -",
                "-,     false, false, 99,  1,   60, -",
                "600,   true,  true,  90,  5,   604800, -",
            })
    void refusesWhatItCannotKeepByName(
            Long every,
            boolean timeout,
            boolean kill,
            Integer percent,
            int keep,
            Long retention,
            String wrong) {
        if (wrong == null) {
            new CapturePolicy(every, timeout, kill, percent, keep, retention);
            return;
        }
        assertThatThrownBy(() -> new CapturePolicy(every, timeout, kill, percent, keep, retention))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> {
                            assertThat(problem.reason()).isEqualTo(Reason.INVALID_PARAMETER);
                            assertThat(problem.members()).containsEntry("parameter", wrong);
                        });
    }

    @Test
    void isForTheCausesThatItNames() {
        CapturePolicy all = new CapturePolicy(600L, true, true, 90, 5, null);
        CapturePolicy kill = new CapturePolicy(null, false, true, null, 5, null);

        assertThat(Cause.values()).allMatch(all::isFor);
        assertThat(Cause.values()).filteredOn(kill::isFor).containsExactly(Cause.KILL);
    }

    @ParameterizedTest
    @CsvSource({"0, 600", "0.5, 570", "1, 540"})
    void isNeverLaterThanItsIntervalAndATenthSoonerAtMost(double chance, long seconds) {
        assertThat(every(600).next(NOW, chance)).contains(NOW.plusSeconds(seconds));
    }

    @Test
    void wantsNothingBeforeItsIntervalIsOverAndBeginsItAnewWithEachCapture() {
        Autosave autosave = set(every(600));

        assertThat(autosave.wants(Cause.INTERVAL, NOW.plusSeconds(599), PAUSE)).isFalse();
        assertThat(autosave.wants(Cause.INTERVAL, NOW.plusSeconds(600), PAUSE)).isTrue();
        assertThat(autosave.wants(Cause.KILL, NOW, PAUSE)).isFalse();

        autosave.began(Cause.INTERVAL, upload(), NOW.plusSeconds(700), 0);
        assertThat(autosave.nextAt()).contains(NOW.plusSeconds(1300));
        autosave.skip(NOW.plusSeconds(1301), 0);
        assertThat(autosave.nextAt()).contains(NOW.plusSeconds(1901));
        assertThat(autosave.unchangedAt()).contains(NOW.plusSeconds(1301));
    }

    @Test
    @Tag("F7")
    void isRefusedOnceAndTriesAgainAtItsNextIntervalOnly() {
        Autosave autosave = set(every(600));
        Problem full = new Problem(Reason.QUOTA_COUNT_EXCEEDED, "no room");

        autosave.refused(Cause.INTERVAL, full, NOW.plusSeconds(600), 0);

        assertThat(autosave.wants(Cause.INTERVAL, NOW.plusSeconds(1199), PAUSE)).isFalse();
        assertThat(autosave.wants(Cause.INTERVAL, NOW.plusSeconds(1200), PAUSE)).isTrue();
        assertThat(autosave.lastRefusal())
                .contains(
                        new Autosave.Refusal(
                                NOW.plusSeconds(600),
                                Cause.INTERVAL,
                                Reason.QUOTA_COUNT_EXCEEDED,
                                "no room"));
        assertThat(autosave.lastUpload()).isEmpty();
    }

    @Test
    void givesAnAlarmARestWhetherItCouldBeMetOrNot() {
        Autosave autosave = set(new CapturePolicy(null, false, false, 90, 5, null));
        assertThat(autosave.wants(Cause.MEMORY, NOW, PAUSE)).isTrue();

        autosave.began(Cause.MEMORY, upload(), NOW, 0);
        assertThat(autosave.wants(Cause.MEMORY, NOW.plusSeconds(299), PAUSE)).isFalse();
        assertThat(autosave.wants(Cause.MEMORY, NOW.plusSeconds(300), PAUSE)).isTrue();

        autosave.refused(
                Cause.MEMORY,
                new Problem(Reason.QUOTA_BYTES_EXCEEDED, "full"),
                NOW.plusSeconds(300),
                0);
        assertThat(autosave.wants(Cause.MEMORY, NOW.plusSeconds(301), PAUSE)).isFalse();
        assertThat(autosave.nextAt()).as("it has no interval").isEmpty();
    }

    @Test
    void keepsItsPaceWhenItIsSetAgainWithTheSameInterval() {
        Autosave autosave = set(every(600));

        autosave.set(
                new CapturePolicy(600L, true, false, null, 3, null),
                "key:y",
                NOW.plusSeconds(60),
                0);
        assertThat(autosave.nextAt()).contains(NOW.plusSeconds(600));
        autosave.set(every(60), "key:y", NOW.plusSeconds(60), 0);
        assertThat(autosave.nextAt()).contains(NOW.plusSeconds(120));
        autosave.set(new CapturePolicy(null, true, false, null, 3, null), "key:y", NOW, 0);
        assertThat(autosave.nextAt()).isEmpty();
    }

    private static CapturePolicy every(long seconds) {
        return new CapturePolicy(seconds, false, false, null, 5, null);
    }

    private static Autosave set(CapturePolicy policy) {
        Autosave autosave =
                new Autosave(
                        new ProjectId(UUID.randomUUID()), new SandboxId("iabcdefghij0123456789"));
        autosave.set(policy, "key:x", NOW, 0);
        return autosave;
    }

    private static UploadId upload() {
        return new UploadId(UUID.randomUUID());
    }
}
