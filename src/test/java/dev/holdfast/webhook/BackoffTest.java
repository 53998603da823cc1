package dev.holdfast.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

    @ParameterizedTest(name = "after {0} failures it waits {1}")
    @CsvSource({
        "1, PT1S",
        "2, PT2S",
        "3, PT4S",
        "7, PT1M4S",
        "12, PT34M8S",
        "13, PT1H",
        "500, PT1H"
    })
    void waitsTwiceAsLongEachTime(int failed, Duration wait) {
        assertThat(Backoff.after(failed, Duration.ofHours(1), 0.5)).contains(wait);
    }

    @Test
    void spreadsByAFifthAndGivesUpAfterADay() {
        assertThat(Backoff.after(13, Duration.ZERO, 0)).contains(Duration.ofMinutes(48));
        assertThat(Backoff.after(13, Duration.ZERO, 1)).contains(Duration.ofMinutes(72));
        assertThat(Backoff.after(13, Duration.ofHours(24), 0)).isEmpty();
    }
}
