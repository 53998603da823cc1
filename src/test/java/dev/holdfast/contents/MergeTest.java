package dev.holdfast.contents;

import static dev.holdfast.contents.Change.Kind.ADDED;
import static dev.holdfast.contents.Change.Kind.CHANGED;
import static dev.holdfast.contents.Change.Kind.REMOVED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.GuestFacts;
import dev.holdfast.agent.GuestPath;
import dev.holdfast.agent.TreeEntry;
import dev.holdfast.agent.TreeEntry.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What becomes of two trees. */
class MergeTest {

    private static final long THEN = 1_000;
    private static final long NOW = 2_000;

    private final Merge merge = new Merge(100);

    @Test
    void equalTreesHaveNoChange() {
        run(List.of(file("/a", 1), dir("/b")), List.of(file("/a", 1), dir("/b")));
        assertThat(merge.changes()).isEmpty();
        assertThat(merge.doubts()).isEmpty();
    }

    @Test
    void tellsWhatCameAndWent() {
        run(
                List.of(dir("/"), dir("/a"), file("/a/old", 3), file("/a.c", 5)),
                List.of(dir("/"), dir("/a"), file("/a/new", 4), file("/a.c", 5)));
        assertThat(shown()).containsExactly("ADDED /a/new []", "REMOVED /a/old []");
        assertThat(merge.tally().of(ADDED)).isEqualTo(new Summary.Figures(1, 4));
        assertThat(merge.tally().of(REMOVED)).isEqualTo(new Summary.Figures(1, 3));
        assertThat(merge.tally().of(CHANGED)).isEqualTo(new Summary.Figures(0, 0));
    }

    @Test
    void tellsInWhatAnEntryDiffers() {
        var before = file("/x", 7);
        assertThat(differences(before, entry("/x", Kind.FILE, 0600, 0, 7, THEN, NOW, null)))
                .contains("[MODE]");
        assertThat(differences(before, entry("/x", Kind.FILE, 0644, 5, 7, THEN, THEN, null)))
                .contains("[OWNER]");
        assertThat(differences(before, entry("/x", Kind.FILE, 0644, 0, 8, NOW, NOW, null)))
                .contains("[SIZE, CONTENT]");
        assertThat(differences(before, link("/x", "/y"))).contains("[TYPE]");
        assertThat(differences(link("/x", "/y"), link("/x", "/z"))).contains("[TARGET]");
        assertThat(differences(dir("/x"), entry("/x", Kind.DIRECTORY, 01777, 0, 0, NOW, NOW, null)))
                .contains("[MODE]");
    }

    @Test
    void timesAloneAreNoChangeAndMakeAFileBeRead() {
        var touched = entry("/x", Kind.FILE, 0644, 0, 7, NOW, NOW, null);
        run(List.of(file("/x", 7)), List.of(touched));
        assertThat(merge.changes()).isEmpty();
        assertThat(merge.doubts()).hasSize(1);
        merge.settle(merge.doubts().get(0), true);
        assertThat(merge.changes()).isEmpty();
    }

    @Test
    void aTimeThatWasSetBackHidesNothing() {
        var hidden = entry("/x", Kind.FILE, 0644, 0, 7, THEN, NOW, null);
        run(List.of(file("/x", 7)), List.of(hidden));
        merge.settle(merge.doubts().get(0), false);
        assertThat(shown()).containsExactly("CHANGED /x [CONTENT]");
        assertThat(merge.tally().of(CHANGED)).isEqualTo(new Summary.Figures(1, 7));
    }

    @Test
    void whatIsReadMayDifferInMoreThanItsContent() {
        run(List.of(file("/x", 7)), List.of(entry("/x", Kind.FILE, 0755, 0, 7, THEN, NOW, null)));
        merge.settle(merge.doubts().get(0), true);
        assertThat(shown()).containsExactly("CHANGED /x [MODE]");
    }

    @Test
    void anEmptyFileIsNeverRead() {
        run(List.of(file("/x", 0)), List.of(entry("/x", Kind.FILE, 0644, 0, 0, NOW, NOW, null)));
        assertThat(merge.doubts()).isEmpty();
        assertThat(merge.changes()).isEmpty();
    }

    @Test
    void listsSoManyAndCountsAll() {
        var small = new Merge(2);
        var none = List.<TreeEntry>of().iterator();
        var many =
                List.of(file("/a", 1), file("/b", 1), file("/c", 1), file("/d", 1), file("/e", 1))
                        .iterator();
        small.run(next(none), next(many), () -> {});
        assertThat(small.changes()).hasSize(2);
        assertThat(small.isCut()).isTrue();
        assertThat(small.tally().of(ADDED)).isEqualTo(new Summary.Figures(5, 5));
    }

    @Test
    void readsNoMoreThanIsAllowed() {
        var small = new Merge(1);
        var old = List.of(file("/a", 1), file("/b", 1)).iterator();
        var now =
                List.of(
                                entry("/a", Kind.FILE, 0644, 0, 1, NOW, NOW, null),
                                entry("/b", Kind.FILE, 0644, 0, 1, NOW, NOW, null))
                        .iterator();
        assertThatThrownBy(() -> small.run(next(old), next(now), () -> {}))
                .isInstanceOf(Merge.TooManyException.class);
    }

    @Test
    void listsTheFirstByPathAlsoWhereSomeAreInDoubt() {
        var small = new Merge(2);
        var old = List.of(file("/b", 1)).iterator();
        var now =
                List.of(
                                file("/a", 1),
                                entry("/b", Kind.FILE, 0644, 0, 1, NOW, NOW, null),
                                file("/c", 1),
                                file("/d", 1))
                        .iterator();
        small.run(next(old), next(now), () -> {});
        small.settle(small.doubts().get(0), false);
        assertThat(small.changes().stream().map(c -> c.path().shown())).containsExactly("/a", "/b");
        assertThat(small.isCut()).isTrue();
    }

    @Test
    void holdsNoMoreBytesThanIsAllowed() {
        var small = new Merge(100, 10_000);
        var none = List.<TreeEntry>of().iterator();
        var long1 = link("/a" + "x".repeat(3000), "y".repeat(3000));
        var long2 = link("/b" + "x".repeat(3000), "y".repeat(3000));
        var many = List.of(long1, long2).iterator();
        assertThatThrownBy(() -> small.run(next(none), next(many), () -> {}))
                .isInstanceOf(Merge.TooManyException.class);
    }

    @Test
    void findsExactlyWhatWasDoneToRandomTrees() {
        var random = new Random(7);
        for (int round = 0; round < 50; round++) {
            var old = new TreeMap<GuestPath, TreeEntry>();
            var now = new TreeMap<GuestPath, TreeEntry>();
            var expected = new TreeSet<String>();
            for (int i = 0; i < 60; i++) {
                String path = "/" + name(random) + "/" + name(random);
                old.put(GuestPath.of(path), file(path, 5));
            }
            now.putAll(old);
            for (GuestPath path : List.copyOf(old.keySet())) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        now.remove(path);
                        expected.add("REMOVED " + path);
                    }
                    case 1 -> {
                        now.put(path, file(path.shown(), 6));
                        expected.add("CHANGED " + path);
                    }
                    case 2 -> {
                        String more = path.shown() + "+";
                        if (!old.containsKey(GuestPath.of(more))) {
                            now.put(GuestPath.of(more), file(more, 1));
                            expected.add("ADDED " + more);
                        }
                    }
                    default -> {
                        // stays as it is
                    }
                }
            }
            var found = new Merge(1000);
            found.run(next(old.values().iterator()), next(now.values().iterator()), () -> {});
            assertThat(found.changes().stream().map(c -> c.kind() + " " + c.path()))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void comparesWhatRunsAndIsInstalled() {
        var before =
                new GuestFacts(
                        List.of(process("sh"), process("sh"), process("gone")),
                        new TreeSet<>(List.of("HOME", "OLD")),
                        new TreeMap<>(Map.of("a:all", "1", "b:all", "1", "c:all", "1")));
        var after =
                new GuestFacts(
                        List.of(process("sh"), process("new")),
                        new TreeSet<>(List.of("HOME", "NEW")),
                        new TreeMap<>(Map.of("a:all", "2", "b:all", "1", "d:all", "1")));
        var processes = FactsMerge.processes(before, after);
        assertThat(processes.added()).containsExactly("0 new");
        assertThat(processes.removed()).containsExactly("0 gone", "0 sh");
        var names = FactsMerge.names(before.environment(), after.environment());
        assertThat(names.added()).containsExactly("NEW");
        assertThat(names.removed()).containsExactly("OLD");
        assertThat(FactsMerge.packages(before.packages(), after.packages()).changes())
                .containsExactly(
                        new Summary.Package("a:all", "1", "2"),
                        new Summary.Package("c:all", "1", null),
                        new Summary.Package("d:all", null, "1"));
    }

    @Test
    void pathsAreInTheOrderOfAWalk() {
        var paths =
                new ArrayList<>(
                        List.of("/", "/a", "/a/b", "/a/b/c", "/a.c", "/a0", "/b").stream()
                                .map(GuestPath::of)
                                .toList());
        var shuffled = new ArrayList<>(paths);
        Collections.shuffle(shuffled, new Random(1));
        Collections.sort(shuffled);
        assertThat(shuffled).isEqualTo(paths);
    }

    private void run(List<TreeEntry> before, List<TreeEntry> after) {
        merge.run(next(before.iterator()), next(after.iterator()), () -> {});
    }

    private static Optional<String> differences(TreeEntry before, TreeEntry after) {
        var each = new Merge(10);
        each.run(next(List.of(before).iterator()), next(List.of(after).iterator()), () -> {});
        each.doubts().forEach(doubt -> each.settle(doubt, true));
        return each.changes().stream().map(c -> sorted(c).toString()).findFirst();
    }

    private List<String> shown() {
        return merge.changes().stream()
                .map(c -> c.kind() + " " + c.path() + " " + sorted(c))
                .toList();
    }

    private static List<Difference> sorted(Change change) {
        return change.what().stream().sorted().toList();
    }

    private static String name(Random random) {
        String alphabet = "ab./0-".replace("/", "");
        var name = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            name.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return "n" + name;
    }

    private static GuestFacts.Process process(String command) {
        return new GuestFacts.Process(command, 0);
    }

    private static Supplier<Optional<TreeEntry>> next(Iterator<TreeEntry> entries) {
        return () -> entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
    }

    private static TreeEntry file(String path, long size) {
        return entry(path, Kind.FILE, 0644, 0, size, THEN, THEN, null);
    }

    private static TreeEntry dir(String path) {
        return entry(path, Kind.DIRECTORY, 0755, 0, 0, THEN, THEN, null);
    }

    private static TreeEntry link(String path, String target) {
        return entry(path, Kind.LINK, 0777, 0, 0, THEN, THEN, target);
    }

    private static TreeEntry entry(
            String path,
            Kind kind,
            int mode,
            long uid,
            long size,
            long modified,
            long changed,
            String target) {
        return new TreeEntry(
                GuestPath.of(path),
                kind,
                mode,
                uid,
                0,
                size,
                modified,
                changed,
                Optional.ofNullable(target).map(GuestPath::of));
    }
}
