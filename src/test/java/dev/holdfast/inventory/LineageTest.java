package dev.holdfast.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.inventory.Relative.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineageTest {

    @Test
    void tellsWhetherThereIsMoreUpwardsAndBehindAPage() {
        Lineage whole = Lineage.of(relatives(1 + Lineage.DEEPEST), relatives(3), 3);
        Lineage part = Lineage.of(relatives(2 + Lineage.DEEPEST), relatives(4), 3);

        assertThat(whole.complete()).isTrue();
        assertThat(whole.more()).isFalse();
        assertThat(part.complete()).isFalse();
        assertThat(part.more()).isTrue();
        for (Lineage each : List.of(whole, part)) {
            assertThat(each.snapshot().id()).isEqualTo("0");
            assertThat(each.ancestors()).hasSize(Lineage.DEEPEST);
            assertThat(each.ancestors().get(0).id()).isEqualTo("1");
            assertThat(each.children()).hasSize(3);
        }
    }

    @Test
    void hasARootWithoutAncestorsAndChildren() {
        Lineage root = Lineage.of(relatives(1), List.of(), 3);

        assertThat(root.ancestors()).isEmpty();
        assertThat(root.children()).isEmpty();
        assertThat(root.complete()).isTrue();
        assertThat(root.more()).isFalse();
    }

    private static List<Relative> relatives(int number) {
        return IntStream.range(0, number).mapToObj(LineageTest::relative).toList();
    }

    private static Relative relative(int number) {
        return new Relative(
                Type.SNAPSHOT,
                Integer.toString(number),
                "saved",
                Optional.of("snapshot"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }
}
