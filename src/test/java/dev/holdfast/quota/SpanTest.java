package dev.holdfast.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R166")
class SpanTest {

    private static final long BYTES = 1000;
    private static final long PAUSED = 10;
    private static final Level LEVEL = new Level(BYTES, 3, PAUSED);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-03-01T10:00:00Z | 2026-03-01T12:00:00Z | 2026-03-01 7200",
                "2026-03-01T10:00:00Z | 2026-03-01T10:00:00Z | 2026-03-01 0",
                "2026-03-01T00:00:00Z | 2026-03-01T00:00:00Z | 2026-03-01 0",
                "2026-03-01T23:00:00Z | 2026-03-02T00:00:00Z | 2026-03-01 3600",
                "2026-03-01T00:00:00Z | 2026-03-02T00:00:00Z | 2026-03-01 86400",
                "2026-03-01T23:59:59Z | 2026-03-02T00:00:01Z | 2026-03-01 1, 2026-03-02 1",
                "2026-02-27T12:00:00Z | 2026-03-02T06:00:00Z"
                        + " | 2026-02-27 43200, 2026-02-28 86400, 2026-03-01 86400, 2026-03-02 21600",
                // a leap day, and a night on which clocks are put forward elsewhere
                "2028-02-28T23:59:00Z | 2028-03-01T00:01:00Z"
                        + " | 2028-02-28 60, 2028-02-29 86400, 2028-03-01 60",
                "2026-03-28T23:00:00Z | 2026-03-29T23:00:00Z | 2026-03-28 3600, 2026-03-29 82800",
                "2025-12-31T23:59:59.999999Z | 2026-01-01T00:00:00.000001Z"
                        + " | 2025-12-31 0.000001, 2026-01-01 0.000001"
            })
    void isSplitAtTheMidnightsOfUtc(Instant from, Instant to, String days) {
        assertThat(
                        new Span(from, to, LEVEL)
                                .days().stream()
                                        .map(day -> day.day() + " " + seconds(day.saved(), BYTES))
                                        .collect(Collectors.joining(", ")))
                .isEqualTo(days);
    }

    @ParameterizedTest
    @CsvSource({"P1D", "PT23H59M59.999999S", "P21DT3H", "P400D"})
    void losesNothingAtMidnights(Duration length) {
        var from = Instant.parse("2026-01-30T17:12:00.000123Z");
        var days = new Span(from, from.plus(length), LEVEL).days();

        assertThat(sum(days)).isEqualTo(ByteTime.of(BYTES + PAUSED, length));
        assertThat(days).extracting(UsageDay::day).isSorted().doesNotHaveDuplicates();
        assertThat(days).allMatch(day -> day.peakBytes() == BYTES + PAUSED && day.snapshots() == 3);
    }

    @Test
    void keepsPausesApart() {
        var noon = Instant.parse("2026-03-01T12:00:00Z");
        var day = new Span(noon, noon.plus(Duration.ofHours(1)), LEVEL).days().get(0);

        assertThat(day.saved().byteHours()).isEqualTo(BYTES);
        assertThat(day.paused().byteHours()).isEqualTo(PAUSED);
    }

    @Test
    void refusesToEndBeforeItBegins() {
        var now = Instant.EPOCH;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Span(now, now.minusNanos(1000), LEVEL));
    }

    private static ByteTime sum(List<UsageDay> days) {
        return days.stream().map(UsageDay::both).reduce(ByteTime.NONE, ByteTime::plus);
    }

    private static String seconds(ByteTime time, long bytes) {
        return new BigDecimal(time.byteMicros())
                .divide(BigDecimal.valueOf(bytes * 1_000_000))
                .stripTrailingZeros()
                .toPlainString();
    }
}
