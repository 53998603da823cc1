package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every store does, whatever it stores to. */
abstract class ObjectStoreContract {

    static final ObjectKey KEY = new ObjectKey("snapshots/one/pages.img");

    /** More than a store keeps in memory of an upload. */
    static final int LARGE = 12 * 1024 * 1024;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The store under test; empty, and the same one during a test. */
    abstract ObjectStore store();

    /** Lets the store's clock stand this much after every write so far. */
    abstract void passTime(Duration time);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void givesBackWhatWasPut() throws IOException {
        Instant before = Instant.now().minusSeconds(2);

        StoredObject stored = put(KEY, "memory");

        assertThat(stored.key()).isEqualTo(KEY);
        assertThat(stored.size()).isEqualTo(6);
        assertThat(stored.modifiedAt()).isAfter(before);
        assertThat(content(KEY)).contains("memory");
        assertThat(store().size(KEY)).hasValue(6);
        assertThat(store().exists(KEY)).isTrue();
    }

    @Test
    void keepsAnEmptyObject() throws IOException {
        put(KEY, "");

        assertThat(store().exists(KEY)).isTrue();
        assertThat(content(KEY)).contains("");
    }

    @Test
    void keepsALargeObject() throws IOException {
        byte[] content = noise(1);

        assertThat(put(KEY, content).size()).isEqualTo(LARGE);
        assertThat(put(KEY, content).size()).isEqualTo(LARGE);

        assertThat(bytes(KEY)).isEqualTo(content);
        assertThat(store().size(KEY)).hasValue(LARGE);
        assertThat(list("")).hasSize(1);
        assertThat(store().removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    @Test
    void refusesAnotherLargeObjectOfThatLength() throws IOException {
        byte[] content = noise(1);
        put(KEY, content);
        byte[] other = content.clone();
        other[LARGE - 1]++;

        assertThatThrownBy(() -> put(KEY, other)).isInstanceOf(ObjectConflictException.class);
        assertThatThrownBy(() -> put(KEY, "small")).isInstanceOf(ObjectConflictException.class);
        assertThat(bytes(KEY)).isEqualTo(content);
        assertThat(store().removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    @Test
    void knowsNothingOfWhatWasNeverPut() throws IOException {
        assertThat(store().open(KEY)).isEmpty();
        assertThat(store().size(KEY)).isEmpty();
        assertThat(store().exists(KEY)).isFalse();
        assertThat(list("")).isEmpty();
    }

    @Test
    void showsNothingBeforeTheCommit() throws IOException {
        try (ObjectStore.Upload upload = store().begin(KEY)) {
            upload.body().write(noise(1));
            upload.body().flush();

            assertThat(store().exists(KEY)).isFalse();
            assertThat(store().open(KEY)).isEmpty();
            assertThat(list("")).isEmpty();
        }
        assertThat(store().exists(KEY)).isFalse();
        assertThat(store().removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    @Test
    void showsNothingOfAPutWhoseSourceBreaks() throws IOException {
        InputStream breaking =
                new InputStream() {
                    private int given;

                    @Override
                    public int read() throws IOException {
                        if (given++ > 100_000) {
                            throw new IOException("source broke");
                        }
                        return 'x';
                    }
                };

        assertThatThrownBy(() -> store().put(KEY, breaking)).hasMessage("source broke");
        assertThat(list("")).isEmpty();
    }

    @Test
    void acceptsTheSameContentAgain() throws IOException {
        put(KEY, "memory");
        put(KEY, "memory");

        assertThat(content(KEY)).contains("memory");
        assertThat(list("")).hasSize(1);
        assertThat(store().removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    @Test
    void refusesOtherContentUnderATakenKey() throws IOException {
        put(KEY, "memory");

        assertThatThrownBy(() -> put(KEY, "Memory")).isInstanceOf(ObjectConflictException.class);
        assertThatThrownBy(() -> put(KEY, "memory and more"))
                .isInstanceOf(ObjectConflictException.class);
        assertThatThrownBy(() -> put(KEY, "")).isInstanceOf(ObjectConflictException.class);
        assertThat(content(KEY)).contains("memory");
    }

    @Test
    void letsExactlyOneOfTwoRacingWritersWin() throws Exception {
        for (int round = 0; round < 50; round++) {
            ObjectKey key = new ObjectKey("race/r" + round + "/object");
            List<Boolean> won = together(6, writer -> succeeds(key, "content of " + writer));

            assertThat(won).as("round %s", round).containsOnlyOnce(true);
            assertThat(content(key)).contains("content of " + won.indexOf(true));
        }
    }

    @Test
    void letsExactlyOneOfTwoRacingWritersOfLargeObjectsWin() throws Exception {
        for (int round = 0; round < 2; round++) {
            ObjectKey key = new ObjectKey("race/large" + round);
            List<Boolean> won = together(2, writer -> succeeds(key, noise(writer)));

            assertThat(won).as("round %s", round).containsOnlyOnce(true);
            assertThat(bytes(key)).isEqualTo(noise(won.indexOf(true)));
        }
        assertThat(store().removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    @Test
    void letsAllWritersOfTheSameContentSucceed() throws Exception {
        assertThat(together(6, writer -> succeeds(KEY, "same"))).containsOnly(true);
    }

    @Test
    void survivesDeletesOfTheEmptiedParentWhilePutting() throws Exception {
        List<Boolean> outcomes =
                together(
                        4,
                        worker -> {
                            ObjectKey own = new ObjectKey("busy/parent/o" + worker);
                            for (int round = 0; round < 100; round++) {
                                put(own, "x");
                                if (!store().delete(own)) {
                                    return false;
                                }
                            }
                            return true;
                        });

        assertThat(outcomes).containsOnly(true);
        assertThat(list("")).isEmpty();
    }

    @Test
    void letsAPutSucceedWhoseObjectIsDeletedAtOnce() throws Exception {
        List<Boolean> outcomes =
                together(
                        4,
                        worker -> {
                            for (int round = 0; round < 50; round++) {
                                if (worker % 2 == 0) {
                                    assertThat(put(KEY, "memory").size()).isEqualTo(6);
                                } else {
                                    store().delete(KEY);
                                }
                            }
                            return true;
                        });

        assertThat(outcomes).containsOnly(true);
    }

    @Test
    @Tag("F24")
    void countsAMissingObjectAsDeleted() throws IOException {
        put(KEY, "memory");

        assertThat(store().delete(KEY)).isTrue();
        assertThat(store().delete(KEY)).isFalse();
        assertThat(store().delete(new ObjectKey("never/was"))).isFalse();
        assertThat(store().exists(KEY)).isFalse();
        assertThat(list("")).isEmpty();
    }

    @Test
    void takesAKeyAgainAfterItsDeletion() throws IOException {
        put(KEY, "first");
        store().delete(KEY);
        put(KEY, "second");

        assertThat(content(KEY)).contains("second");
    }

    @Test
    void leavesNeighboursAloneWhenDeleting() throws IOException {
        ObjectKey neighbour = new ObjectKey("snapshots/one/manifest.json");
        put(KEY, "memory");
        put(neighbour, "{}");

        store().delete(KEY);

        assertThat(content(neighbour)).contains("{}");
    }

    @Test
    void readsOnWhenTheObjectIsDeletedMeanwhile() throws IOException {
        put(KEY, "memory");
        try (InputStream open = store().open(KEY).orElseThrow()) {
            store().delete(KEY);

            assertThat(new String(open.readAllBytes(), UTF_8)).isEqualTo("memory");
        }
    }

    @Test
    void listsByPrefix() throws IOException {
        put(new ObjectKey("snapshots/one/a"), "1");
        put(new ObjectKey("snapshots/one/b"), "22");
        put(new ObjectKey("snapshots/only/a"), "333");
        put(new ObjectKey("templates/x.squashfs"), "4444");

        assertThat(names("snapshots/one/"))
                .containsExactlyInAnyOrder("snapshots/one/a", "snapshots/one/b");
        assertThat(names("snapshots/on"))
                .containsExactlyInAnyOrder(
                        "snapshots/one/a", "snapshots/one/b", "snapshots/only/a");
        assertThat(names("snapshots/one/b")).containsExactly("snapshots/one/b");
        assertThat(names("nowhere/")).isEmpty();
        assertThat(names("")).hasSize(4);
        assertThat(list("templates/").get(0).size()).isEqualTo(4);
    }

    @Test
    void looksNoFurtherThanTheFirstThatIsWanted() throws IOException {
        for (int i = 0; i < 20; i++) {
            put(new ObjectKey("snapshots/" + i + "/a"), "1");
        }
        var shown = new ArrayList<String>();
        assertThat(store().any("snapshots/", object -> shown.add(object.key().value()))).isTrue();
        assertThat(shown).hasSize(1);
        assertThat(store().any("snapshots/", object -> !shown.add(object.key().value()))).isFalse();
        assertThat(shown).hasSize(21);
        assertThat(store().any("templates/", object -> true)).isFalse();
    }

    /**
     * Whoever puts and then lists sees what others had put before: the newest of a row is found.
     */
    @Test
    void listsWhatIsThereThroughoutWhileNeighboursComeAndGo() throws Exception {
        ObjectKey stays = new ObjectKey("snapshots/one/amendment-9.json");
        put(stays, "9");

        List<Boolean> outcomes =
                together(
                        4,
                        worker -> {
                            ObjectKey own = new ObjectKey("snapshots/one/amendment-" + worker);
                            for (int round = 0; round < 50; round++) {
                                put(own, "x");
                                List<String> seen = names("snapshots/one/amendment-");
                                if (!seen.contains(stays.value()) || !seen.contains(own.value())) {
                                    return false;
                                }
                                store().delete(own);
                            }
                            return true;
                        });

        assertThat(outcomes).containsOnly(true);
    }

    @Test
    void refusesAPrefixThatLeavesTheStore() {
        assertThatThrownBy(() -> list("../")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> list("/etc/")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> list("a/../../b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void removesLeftoversOnlyAfterTheGraceTime() throws IOException {
        ObjectStore.Upload broken = store().begin(KEY);
        broken.body().write(noise(1));

        assertThat(store().removeLeftovers(Duration.ofHours(1))).isZero();
        passTime(Duration.ofHours(2));
        assertThat(store().removeLeftovers(Duration.ofHours(1))).isEqualTo(1);
        assertThatThrownBy(broken::commit).isInstanceOf(IOException.class);
        assertThat(store().exists(KEY)).isFalse();
        broken.close();
    }

    StoredObject put(ObjectKey key, String content) throws IOException {
        return put(key, content.getBytes(UTF_8));
    }

    StoredObject put(ObjectKey key, byte[] content) throws IOException {
        return store().put(key, new ByteArrayInputStream(content));
    }

    static byte[] noise(int seed) {
        byte[] noise = new byte[LARGE];
        new Random(seed).nextBytes(noise);
        return noise;
    }

    byte[] bytes(ObjectKey key) throws IOException {
        try (InputStream content = store().open(key).orElseThrow()) {
            return content.readAllBytes();
        }
    }

    Optional<String> content(ObjectKey key) throws IOException {
        Optional<InputStream> open = store().open(key);
        if (open.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream content = open.get()) {
            return Optional.of(new String(content.readAllBytes(), UTF_8));
        }
    }

    List<StoredObject> list(String prefix) throws IOException {
        List<StoredObject> found = new ArrayList<>();
        store().list(prefix, found::add);
        return found;
    }

    private List<String> names(String prefix) throws IOException {
        return list(prefix).stream().map(object -> object.key().value()).toList();
    }

    private boolean succeeds(ObjectKey key, String content) throws IOException {
        return succeeds(key, content.getBytes(UTF_8));
    }

    private boolean succeeds(ObjectKey key, byte[] content) throws IOException {
        try {
            put(key, content);
            return true;
        } catch (ObjectConflictException lost) {
            return false;
        }
    }

    private interface Task {
        boolean run(int index) throws Exception;
    }

    private List<Boolean> together(int count, Task task) throws Exception {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Future<Boolean>> running = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            int own = index;
            Callable<Boolean> work =
                    () -> {
                        start.await();
                        return task.run(own);
                    };
            running.add(threads.submit(work));
        }
        List<Boolean> outcomes = new ArrayList<>();
        for (Future<Boolean> each : running) {
            outcomes.add(each.get());
        }
        return outcomes;
    }
}
