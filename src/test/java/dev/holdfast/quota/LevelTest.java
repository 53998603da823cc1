package dev.holdfast.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LevelTest {

    @Test
    void countsPausesAsBytesAndNotAsSnapshots() {
        var level = Level.NOTHING.save(100).pause(30);

        assertThat(level).isEqualTo(new Level(100, 1, 30));
        assertThat(level.bytes()).isEqualTo(130);
        assertThat(level.freePause(30).free(100, 1)).isEqualTo(Level.NOTHING);
    }

    @Test
    @Tag("F10")
    void neverRefusesACleanUpBecauseItHasDrifted() {
        assertThat(new Level(5, 0, 2).free(100, 3).freePause(100)).isEqualTo(Level.NOTHING);
        assertThatIllegalArgumentException().isThrownBy(() -> new Level(-1, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({
        // limit, used, percent, warned at 80 %, over
        "10, 7, 70, false, false",
        "10, 8, 80, true, false",
        "1000, 799, 79, false, false",
        "10, 10, 100, true, false",
        "10, 11, 110, true, true",
        "0, 0, 0, false, false",
        "0, 1, 100, true, true",
        "9223372036854775807, 9223372036854775807, 100, true, false"
    })
    void tellsHowNearALimitIs(long limit, long used, long percent, boolean warned, boolean over) {
        var gauge = new Gauge(Limited.BYTES, limit, used);

        assertThat(gauge.percent()).isEqualTo(percent);
        assertThat(gauge.reaches(80)).isEqualTo(warned);
        assertThat(gauge.isOver()).isEqualTo(over);
    }

    @Test
    @Tag("R166")
    void isPaidByWholeByteHoursButCountedExactly() {
        assertThat(ByteTime.of(1000, Duration.ofSeconds(36)).byteHours()).isEqualTo(10);
        assertThat(ByteTime.of(1, Duration.ofMinutes(29)).byteHours()).isZero();
        assertThat(ByteTime.of(1, Duration.ofMinutes(30)).byteHours()).isOne();
        var most = ByteTime.of(Long.MAX_VALUE, Duration.ofDays(1));
        assertThat(most.byteMicros())
                .isEqualTo(
                        BigInteger.valueOf(Long.MAX_VALUE)
                                .multiply(BigInteger.valueOf(86_400_000_000L)));
        assertThat(most.plus(ByteTime.of(1, Duration.ofNanos(1999))).byteMicros())
                .isEqualTo(most.byteMicros().add(BigInteger.ONE));
    }

    @Test
    @Tag("R166")
    void chargesNoTimeTwiceWhenTheClockGoesBack() {
        var usage = new Usage(Instant.EPOCH);
        var times = new ArrayList<Span>();
        for (long second : List.of(10, 4, 7, 12)) {
            times.add(usage.change(UnaryOperator.identity(), Instant.EPOCH.plusSeconds(second)));
        }

        assertThat(times)
                .extracting(span -> Duration.between(span.from(), span.to()).toSeconds())
                .containsExactly(10L, 0L, 0L, 2L);
    }

    @Test
    void warnsOncePerCrossing() {
        var usage = new Usage(Instant.EPOCH);
        var warned = new ArrayList<String>();
        for (int step = 0; step < 10; step++) {
            usage.change(level -> level.save(10), Instant.EPOCH);
            warned.addAll(crossed(usage, 100, 5));
        }
        assertThat(warned).containsExactly("SNAPSHOTS 4", "BYTES 80");

        assertThat(crossed(usage, 1000, 50)).as("the limit was raised").isEmpty();
        assertThat(crossed(usage, 110, 50)).as("and lowered again").containsExactly("BYTES 100");
        assertThat(crossed(usage, 90, 50)).as("it is over now, and was told of").isEmpty();
    }

    private static List<String> crossed(Usage usage, long bytes, long snapshots) {
        return usage.crossed(bytes, snapshots, 80).stream()
                .map(gauge -> gauge.what() + " " + gauge.used())
                .toList();
    }
}
