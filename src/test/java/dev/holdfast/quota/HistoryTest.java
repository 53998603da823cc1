package dev.holdfast.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R166")
class HistoryTest {

    private static final LocalDate TODAY = LocalDate.parse("2026-03-10");
    private static final Instant NOW = Instant.parse("2026-03-10T06:00:00Z");

    private static Span nothingSince(Instant moment) {
        return new Span(moment, NOW, Level.NOTHING);
    }

    private static UsageDay day(LocalDate day, long bytes, long hours, long snapshots) {
        return UsageDay.of(day, new Level(bytes, snapshots, 0), Duration.ofHours(hours));
    }

    @Test
    void hasEachDayOfAProjectThatNeverStoredAnything() {
        var history = History.of(List.of(), nothingSince(NOW), 90);

        assertThat(history.days()).hasSize(90).allMatch(UsageDay::isEmpty);
        assertThat(history.days().get(0).day()).isEqualTo(TODAY.minusDays(89));
        assertThat(history.days().get(89).day()).isEqualTo(TODAY);
        assertThat(history.total()).isEqualTo(ByteTime.NONE);
    }

    @Test
    void goesOnWithTheLevelOfAProjectThatWasIdleForWeeks() {
        var since = Instant.parse("2026-02-10T12:00:00Z");
        var settled = List.of(day(LocalDate.parse("2026-02-10"), 500, 12, 1));

        var days = History.of(settled, new Span(since, NOW, new Level(100, 2, 0)), 90).days();

        assertThat(days.get(61))
                .isEqualTo(
                        new UsageDay(
                                LocalDate.parse("2026-02-10"),
                                hours(500 * 12 + 100 * 12),
                                ByteTime.NONE,
                                500,
                                2));
        assertThat(days.subList(62, 89))
                .allMatch(day -> day.saved().equals(hours(2400)) && day.snapshots() == 2);
        assertThat(days.get(89)).isEqualTo(day(TODAY, 100, 6, 2));
    }

    @Test
    void addsWhatWasStoredSinceTheLastChangeToItsDay() {
        var settled = List.of(day(TODAY, 1000, 2, 3));

        var days =
                History.of(
                                settled,
                                new Span(NOW.minus(Duration.ofHours(4)), NOW, new Level(10, 1, 5)),
                                1)
                        .days();

        assertThat(days).containsExactly(new UsageDay(TODAY, hours(2040), hours(20), 1000, 1));
    }

    @Test
    void leavesOutWhatIsOlder() {
        var history =
                History.of(
                        List.of(day(TODAY.minusDays(1), 70, 24, 1)),
                        new Span(NOW.minus(Duration.ofDays(300)), NOW, new Level(10, 1, 0)),
                        1);

        assertThat(history.days()).containsExactly(day(TODAY, 10, 6, 1));
        assertThat(history.total()).isEqualTo(hours(60));
    }

    @Test
    void endsADayWithNothingWhenAllHasGone() {
        var settled = List.of(day(TODAY, 1000, 2, 3));

        var today = History.of(settled, nothingSince(NOW.minusSeconds(1)), 7).days().get(6);

        assertThat(today).isEqualTo(new UsageDay(TODAY, hours(2000), ByteTime.NONE, 1000, 0));
    }

    private static ByteTime hours(long bytes) {
        return ByteTime.of(bytes, Duration.ofHours(1));
    }
}
