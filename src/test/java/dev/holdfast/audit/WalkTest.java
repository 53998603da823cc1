package dev.holdfast.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WalkTest {
    private static final UUID CHAIN = UUID.randomUUID();
    private static final Instant BEGIN = Instant.parse("2030-01-31T12:00:00Z");
    private static final Chain.Point NOTHING = new Chain.Point(0, Digest.NONE);

    /** Like a row of the database, which somebody may have changed. */
    private record Row(Link link, String text, Instant at) {

        static Row of(long position, Digest previous, String text, Instant at) {
            return new Row(
                    new Link(new Link.Place(CHAIN, position), position, at, previous, text),
                    text,
                    at);
        }
    }

    private static List<Row> chain(Row... before) {
        List<Row> rows = new ArrayList<>(List.of(before));
        for (int i = rows.size() + 1; i <= 5; i++) {
            var previous = rows.isEmpty() ? Digest.NONE : rows.get(i - 2).link().hash();
            rows.add(Row.of(i, previous, "{\"id\":\"" + i + "\"}", BEGIN.plusSeconds(i)));
        }
        return rows;
    }

    private static Chain.Point end(List<Row> rows) {
        var last = rows.get(rows.size() - 1).link();
        return new Chain.Point(last.position(), last.hash());
    }

    private static Optional<Breach> walked(List<Row> rows, Chain.Point head, Walk walk) {
        if (rows.stream()
                .allMatch(r -> walk.take(r.link(), Optional.ofNullable(r.text()), r.at()))) {
            walk.end(head);
        }
        return walk.breach();
    }

    private static Optional<Breach> walked(List<Row> rows) {
        return walked(rows, end(chain()), new Walk(NOTHING, Optional.empty(), true));
    }

    @Test
    void aChainThatIsAsItWasIsWholeFromItsAnchorToItsHead() {
        var rows = chain();
        assertThat(walked(rows)).isEmpty();
        assertThat(walked(rows, end(rows), new Walk(NOTHING, Optional.of(end(rows)), true)))
                .isEmpty();
        var anchor = new Chain.Point(2, rows.get(1).link().hash());
        assertThat(walked(rows.subList(2, 5), end(rows), new Walk(anchor, Optional.empty(), true)))
                .isEmpty();
    }

    @Test
    void whateverIsChangedRemovedMovedOrPutInIsFoundWhereItIs() {
        var changed = chain();
        changed.set(2, new Row(changed.get(2).link(), "{\"id\":\"x\"}", changed.get(2).at()));
        assertThat(walked(changed)).contains(new Breach(3, Breach.CHANGED));

        var later = chain();
        later.set(2, new Row(later.get(2).link(), later.get(2).text(), BEGIN));
        assertThat(walked(later)).contains(new Breach(3, Breach.CHANGED));

        var without = chain();
        without.set(3, new Row(without.get(3).link(), null, without.get(3).at()));
        assertThat(walked(without)).contains(new Breach(4, Breach.MISSING));

        var removed = chain();
        removed.remove(3);
        assertThat(walked(removed)).contains(new Breach(4, Breach.MISSING));

        var swapped = chain();
        Collections.swap(swapped, 1, 2);
        assertThat(walked(swapped)).contains(new Breach(2, Breach.MISSING));

        var renumbered = chain();
        var second = renumbered.get(1);
        renumbered.add(1, Row.of(2, second.link().previous(), "{\"id\":\"new\"}", second.at()));
        renumbered.set(2, Row.of(3, second.link().previous(), second.text(), second.at()));
        assertThat(walked(renumbered)).contains(new Breach(3, Breach.CHANGED));
    }

    @Test
    void whatIsCutOffTheNewEndIsFoundByTheHeadOrByWhatWasVerified() {
        var cut = chain().subList(0, 3);
        assertThat(walked(cut)).contains(new Breach(4, Breach.MISSING));
        assertThat(walked(cut, end(cut), new Walk(NOTHING, Optional.of(end(chain())), true)))
                .contains(new Breach(4, Breach.MISSING));
        assertThat(walked(cut, end(cut), new Walk(NOTHING, Optional.empty(), true))).isEmpty();
    }

    @Test
    void aChainThatWasWrittenAnewIsNotTheOneThatWasVerified() {
        var verified = new Chain.Point(4, chain().get(3).link().hash());
        var anew = chain(Row.of(1, Digest.NONE, "{\"id\":\"other\"}", BEGIN));
        assertThat(walked(anew, end(anew), new Walk(NOTHING, Optional.of(verified), true)))
                .contains(new Breach(4, Breach.REWRITTEN));
    }

    @Test
    void whatCameInLongAfterItsOwnTimeIsFound() {
        var rows = chain();
        var late = rows.get(4).at().minus(Duration.ofHours(1));
        rows.add(Row.of(6, rows.get(4).link().hash(), "{\"id\":\"6\"}", late));
        assertThat(walked(rows, end(rows), new Walk(NOTHING, Optional.empty(), true))).isEmpty();
        var past = BEGIN.minus(Duration.ofDays(2));
        rows.add(Row.of(7, rows.get(5).link().hash(), "{\"id\":\"7\"}", past));
        rows.add(Row.of(8, rows.get(6).link().hash(), "{\"id\":\"8\"}", past));
        var walk = new Walk(NOTHING, Optional.empty(), true);
        assertThat(walked(rows, end(rows), walk)).isEmpty();
        assertThat(walk.late()).contains(new Breach(7, Breach.BACKDATED));
        assertThat(walk.here()).isEqualTo(end(rows));
    }

    @Test
    void anAnchorThatNobodyHadReasonToMoveIsFound() {
        var rows = chain();
        var second = new Chain.Point(2, rows.get(1).link().hash());
        var fourth = new Chain.Point(4, rows.get(3).link().hash());
        var other = new Chain.Point(2, fourth.hash());

        var forged = new Walk(other, Optional.of(second), false);
        assertThat(forged.breach()).contains(new Breach(2, Breach.REWRITTEN));
        assertThat(forged.here()).isEqualTo(second);

        var early = new Walk(fourth, Optional.of(second), true);
        assertThat(early.breach()).contains(new Breach(3, Breach.MISSING));
        assertThat(early.here()).isEqualTo(second);

        assertThat(
                        walked(
                                rows.subList(4, 5),
                                end(rows),
                                new Walk(fourth, Optional.of(second), false)))
                .isEmpty();
        assertThat(
                        walked(
                                rows.subList(2, 5),
                                end(rows),
                                new Walk(second, Optional.of(fourth), true)))
                .isEmpty();
    }
}
