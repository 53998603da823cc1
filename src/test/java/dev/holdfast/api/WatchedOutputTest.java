package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WatchedOutputTest {

    private static final Duration STALL = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final AtomicLong now = new AtomicLong();

    private WatchedOutput watched(OutputStream out) {
        return new WatchedOutput(out, STALL, LONGEST, now::get);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void waitsForAReaderWhoReadsHoweverMuchTimePassesBetweenTwoWrites() throws IOException {
        var out = new ByteArrayOutputStream();
        var watched = watched(out);
        watched.write("abc".getBytes());
        pass(STALL.multipliedBy(2));
        assertThat(watched.leftBy()).isEmpty();
        watched.write('d');
        watched.flush();
        assertThat(out).hasToString("abcd");
    }

    @Test
    void leavesAReaderWhoTakesNothingOfAWrite() throws IOException {
        var inside = new WatchedOutput[1];
        inside[0] =
                watched(
                        new OutputStream() {
                            @Override
                            public void write(int each) {
                                pass(STALL);
                                assertThat(inside[0].leftBy()).isEmpty();
                                pass(Duration.ofMillis(1));
                                assertThat(inside[0].leftBy())
                                        .hasValueSatisfying(
                                                why -> assertThat(why).contains("PT30S"));
                            }
                        });
        inside[0].write('x');
        assertThat(inside[0].leftBy()).isEmpty();
    }

    @Test
    void leavesAReaderWhoReadsTooSlowlyAltogether() {
        var watched = watched(new ByteArrayOutputStream());
        pass(LONGEST.plusMillis(1));
        assertThat(watched.leftBy())
                .hasValueSatisfying(why -> assertThat(why).contains("longer than PT15M"));
    }
}
