package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadingTest {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private RuntimeException failure;
    private double value = 7;

    private final Clock clock =
            new Clock() {
                @Override
                public ZoneOffset getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(java.time.ZoneId zone) {
                    return this;
                }

                @Override
                public Instant instant() {
                    return now;
                }
            };

    private final Reading reading = new Reading("It", clock, PERIOD, this::sample);

    private Sample sample() {
        if (failure != null) {
            throw failure;
        }
        return new Sample(Map.of("rows", value));
    }

    @Test
    void showsTheLastSampleAndZeroForWhatIsNotInIt() {
        assertThat(reading.show("rows")).isNaN();

        assertThat(reading.take()).isEmpty();

        assertThat(reading.show("rows")).isEqualTo(7);
        assertThat(reading.show("other")).isZero();
    }

    @Test
    void showsNoNumberRatherThanAnOldOneAndSaysWhyOnce() {
        reading.take();
        failure = new IllegalStateException("refused");

        assertThat(reading.take()).contains("It gave no sample: refused");
        assertThat(reading.take()).isEmpty();
        now = now.plus(PERIOD.multipliedBy(3));
        assertThat(reading.show("rows")).isEqualTo(7);
        now = now.plusMillis(1);
        assertThat(reading.show("rows")).isNaN();

        failure = null;
        value = 8;
        assertThat(reading.take()).isEmpty();
        assertThat(reading.show("rows")).isEqualTo(8);
    }
}
