package dev.holdfast.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DeedTest {

    @Test
    void boundsWhatComesFromOutside() {
        var deed =
                Deed.of(
                                Action.SNAPSHOT_DELETE,
                                new Subject("snapshot", "a\u0000b\n" + "x".repeat(999)))
                        .in(UUID.randomUUID())
                        .by("person:" + "p".repeat(999))
                        .with("name", "half \ud83d of a pair\t" + "y".repeat(999));
        for (int i = 0; i < 99; i++) {
            deed = deed.with("detail" + i, i);
        }

        assertThat(deed.subject().id()).startsWith("a?b?x").hasSize(256);
        assertThat(deed.principal().orElseThrow()).hasSize(300);
        assertThat(deed.details()).hasSize(16);
        assertThat(deed.details().get("name"))
                .startsWith("half ? of a pair?y")
                .hasSizeLessThanOrEqualTo(256);
    }

    @Test
    void saysNothingOfWhatIsNotThere() {
        assertThat(Deed.of(Action.KEY_CREATE, Subject.key("x")).with("expiresAt", null).details())
                .isEmpty();
    }

    @Test
    void comesFromTheSystemWhereNobodyAsks() {
        assertThat(Origin.current().principal()).isEqualTo("system");
    }

    @Test
    void carriesItsOriginIntoAnotherThreadAndLeavesNothingThere() throws Exception {
        var asked = new Origin("key:1", null, false, "203.0.113.9", "curl", "r-1");
        var seen = new AtomicReference<Origin>();
        var left = new AtomicReference<Origin>();
        asked.begin();
        var work = Origin.carried(Origin::current);
        Origin.end();

        var thread =
                new Thread(
                        () -> {
                            seen.set(work.get());
                            left.set(Origin.current());
                        });
        thread.start();
        thread.join();

        assertThat(seen.get()).isEqualTo(asked);
        assertThat(left.get().principal()).isEqualTo("system");
    }

    @Test
    void hasAWordForEachActionThatNoOtherHas() {
        assertThat(Action.values())
                .extracting(Action::word)
                .doesNotHaveDuplicates()
                .allMatch(word -> Action.of(word).isPresent());
    }
}
