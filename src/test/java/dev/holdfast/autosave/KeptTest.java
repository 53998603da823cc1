package dev.holdfast.autosave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.snapshot.SnapshotId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeptTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    /** Oldest first, with a star what is pinned, held or occupied; in any order of the rows. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,             1, -",
                "a,             1, -",
                "a b,           1, a",
                "a b c d,       2, a b",
                "a b c d,       4, -",
                "a b c d,     100, -",
                "a* b c d,      2, b",
                "a* b* c d,     2, -",
                "a b c d*,      2, a b",
                "a b c* d*,     2, a b",
                "a* b* c* d*,   1, -",
                "a b* c d e,    2, a c",
            })
    @Tag("F7")
    void letsGoWhatIsOlderThanTheLastOnesAndNotShielded(String all, int keepLast, String going) {
        List<Kept> kept = new ArrayList<>();
        String[] names = all == null ? new String[0] : all.split(" ");
        for (int i = 0; i < names.length; i++) {
            kept.add(kept(names[i].charAt(0), i, names[i].endsWith("*")));
        }
        Collections.shuffle(kept, new Random(1));

        assertThat(
                        Kept.surplus(kept, keepLast).stream()
                                .map(KeptTest::name)
                                .sorted()
                                .collect(Collectors.joining(" ")))
                .isEqualTo(going == null ? "" : going);
    }

    @Test
    @Tag("F7")
    void letsNothingMoreGoTheSecondTime() {
        List<Kept> all = List.of(kept('a', 0, false), kept('b', 0, false), kept('c', 0, false));
        List<Kept> gone = Kept.surplus(all, 2);
        List<Kept> left = all.stream().filter(each -> !gone.contains(each)).toList();

        assertThat(gone).hasSize(1);
        assertThat(Kept.surplus(left, 2)).isEmpty();
    }

    private static Kept kept(char name, int second, boolean shielded) {
        return new Kept(new SnapshotId(new UUID(0, name)), 1, NOW.plusSeconds(second), shielded);
    }

    private static String name(Kept kept) {
        return Character.toString((char) kept.id().value().getLeastSignificantBits());
    }
}
