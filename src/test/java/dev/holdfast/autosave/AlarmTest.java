package dev.holdfast.autosave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlarmTest {

    /** Of each use in percent whether it raises an alarm at 90. */
    @ParameterizedTest
    @CsvSource({
        "10 50 89,            . . .",
        "90,                  !",
        "95 96 97,            ! . .",
        "91 89 91 85 92,      ! . . . .",
        "91 80 91,            ! . .",
        "91 79 91,            ! . !",
        "99 10 99 10 99,      ! . ! . !",
        "0 100,               . !",
    })
    void isRaisedOnceForEachTimeThatItComesIntoDanger(String uses, String alarms) {
        Alarm alarm = new Alarm();
        String seen =
                Arrays.stream(uses.split(" "))
                        .map(use -> raises(alarm, Long.parseLong(use)) ? "!" : ".")
                        .collect(Collectors.joining(" "));

        assertThat(seen).isEqualTo(alarms);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "0, false"})
    void staysDueUntilSomebodyWasTold(long used, boolean due) {
        Alarm alarm = new Alarm();
        assertThat(alarm.isDue(used, 1, 90)).isEqualTo(due);
        assertThat(alarm.isDue(used, 1, 90)).isEqualTo(due);
    }

    private static boolean raises(Alarm alarm, long percent) {
        boolean due = alarm.isDue(percent, 100, 90);
        if (due) {
            alarm.raise();
        }
        return due;
    }
}
