package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmendmentsTest {

    private static final UUID SNAPSHOT = UUID.fromString("0b8c5c0e-6f5e-4d7b-9a55-6d8f6b1c2a34");

    @TempDir Path temporary;

    private DirectoryStore store;
    private Amendments amendments;

    @BeforeEach
    void hasAManifest() throws IOException {
        store = new DirectoryStore(temporary.resolve("store"), Clock.systemUTC());
        amendments = new Amendments(store);
        store.put(Manifest.keyOf(SNAPSHOT), new ByteArrayInputStream("{}".getBytes(UTF_8)));
    }

    @Test
    void givesBackWhatWasSaved() throws IOException {
        var amendment = new Amendment(SNAPSHOT, 3, facts("ü \"1\""));

        assertThat(amendments.save(amendment)).isEqualTo(3);
        assertThat(amendments.save(amendment)).as("once more").isEqualTo(3);

        assertThat(amendments.find(SNAPSHOT)).isEqualTo(new Amendments.Found(amendment, 3, null));
        assertThat(Files.readString(file(3)))
                .startsWith("{\"version\":1,\"snapshotId\":\"" + SNAPSHOT + "\",\"number\":3,")
                .endsWith("\"}");
        try (var reader = Json.createReader(Files.newInputStream(file(3)))) {
            assertThat(reader.readObject())
                    .containsOnlyKeys("version", "snapshotId", "number", "facts", "sha256");
        }
    }

    @Test
    void knowsNothingOfWhatWasNeverAmended() throws IOException {
        assertThat(amendments.find(SNAPSHOT)).isEqualTo(new Amendments.Found(null, 0, null));
        assertThat(amendments.find(UUID.randomUUID()).whole()).isEmpty();
    }

    @Test
    void leavesOneObjectThatTheNextReplaces() throws IOException {
        for (long number : new long[] {1, 2, 9, 10, 11}) {
            assertThat(amendments.save(amendment(number))).isEqualTo(number);
        }

        assertThat(amendments.find(SNAPSHOT).whole()).contains(amendment(11));
        assertThat(names()).containsExactlyInAnyOrder("amendment-11.json", "manifest.json");
    }

    @Test
    @Tag("F22")
    void letsALateWriterOfAnOlderChangeReplaceNothing() throws IOException {
        amendments.save(amendment(10));

        assertThat(amendments.save(amendment(9))).isEqualTo(10);

        assertThat(amendments.find(SNAPSHOT).whole()).contains(amendment(10));
        assertThat(names()).containsExactlyInAnyOrder("amendment-10.json", "manifest.json");
    }

    @Test
    void endsWithTheNewestOfManyWritersAtOnce() throws Exception {
        var threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 3; round++) {
                int base = round * 20;
                List<Callable<Long>> writers = new ArrayList<>();
                IntStream.rangeClosed(1, 20)
                        .forEach(
                                each -> writers.add(() -> amendments.save(amendment(base + each))));
                Collections.shuffle(writers);
                for (var writer : threads.invokeAll(writers)) {
                    writer.get();
                }
                assertThat(amendments.find(SNAPSHOT).whole()).contains(amendment(base + 20));
                assertThat(names()).hasSize(2);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void neverFindsAnOlderOrATornOneWhileItIsReplaced() throws Exception {
        amendments.save(amendment(1));
        var threads = Executors.newSingleThreadExecutor();
        try {
            var writer =
                    threads.submit(
                            () -> {
                                for (long number = 2; number < 15; number++) {
                                    amendments.save(amendment(number));
                                }
                                return null;
                            });
            long last = 0;
            while (!writer.isDone()) {
                var found = amendments.find(SNAPSHOT);
                assertThat(found.whyTorn()).isEmpty();
                if (found.whole().isPresent()) {
                    assertThat(found.whole().get().number()).isGreaterThanOrEqualTo(last);
                    last = found.whole().get().number();
                }
            }
            writer.get();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @Tag("F21")
    void noticesATextThatWasCutOffAnywhere() throws IOException {
        amendments.save(amendment(7));
        byte[] whole = Files.readAllBytes(file(7));

        for (int length = 0; length < whole.length; length += 3) {
            Files.write(file(7), Arrays.copyOf(whole, length));
            var found = amendments.find(SNAPSHOT);
            assertThat(found.whole()).as("%s bytes of %s", length, whole.length).isEmpty();
            assertThat(found.whyTorn()).isPresent();
            assertThat(found.highest()).isEqualTo(7);
        }
    }

    @Test
    @Tag("F21")
    void noticesABitThatWasTurnedAnywhere() throws IOException {
        amendments.save(amendment(7));
        byte[] whole = Files.readAllBytes(file(7));

        for (int at = 0; at < whole.length; at += 3) {
            byte[] turned = whole.clone();
            turned[at] ^= (byte) (1 << at % 8);
            Files.write(file(7), turned);
            assertThat(amendments.find(SNAPSHOT).whole()).as("byte %s", at).isEmpty();
        }
    }

    @Test
    void passesATornOneOverForTheOneBefore() throws IOException {
        amendments.save(amendment(3));
        byte[] before = Files.readAllBytes(file(3));
        amendments.save(amendment(4));
        Files.write(file(3), before);
        Files.write(file(4), new byte[0]);

        var found = amendments.find(SNAPSHOT);

        assertThat(found.whole()).contains(amendment(3));
        assertThat(found.highest()).isEqualTo(4);
        assertThat(found.whyTorn()).contains("its digest is not that of its content");
    }

    @Test
    void passesOverWhatBelongsToAnotherSnapshotOrNumber() throws IOException {
        var other = UUID.randomUUID();
        store.put(Manifest.keyOf(other), new ByteArrayInputStream(new byte[0]));
        amendments.save(new Amendment(other, 1, facts("x")));
        Files.copy(path(other, 1), file(1));
        Files.copy(path(other, 1), path(other, 2));

        assertThat(amendments.find(SNAPSHOT).whole()).isEmpty();
        assertThat(amendments.find(other).whole()).contains(new Amendment(other, 1, facts("x")));
        assertThat(amendments.find(other).whyTorn()).isPresent();
    }

    @Test
    void passesOverAVersionItDoesNotKnow() throws IOException {
        amendments.save(amendment(1));
        var later = Files.readString(file(1)).replace("\"version\":1", "\"version\":2");
        var open = later.substring(0, later.lastIndexOf(",\"sha256\""));
        var digest = Sha256.of(open.getBytes(UTF_8));
        Files.writeString(file(1), open + ",\"sha256\":\"" + digest + "\"}");

        assertThat(amendments.find(SNAPSHOT).whyTorn())
                .contains("version 2 is not known here; this build reads version 1");
    }

    @Test
    void refusesOtherFactsUnderATakenNumber() throws IOException {
        amendments.save(amendment(1));

        assertThatThrownBy(() -> amendments.save(new Amendment(SNAPSHOT, 1, facts("other"))))
                .isInstanceOf(ObjectConflictException.class);
    }

    @Test
    @Tag("F19")
    void amendsNothingThatHasNoManifest() throws IOException {
        store.delete(Manifest.keyOf(SNAPSHOT));

        assertThatThrownBy(() -> amendments.save(amendment(1)))
                .isInstanceOf(PartMissingException.class);
        assertThat(temporary.resolve("store/snapshots")).doesNotExist();
    }

    @Test
    @Tag("F19")
    void goesWithItsSnapshotAndCanBeTakenBackAlone() throws IOException {
        amendments.save(amendment(1));
        amendments.remove(SNAPSHOT);
        assertThat(names()).containsExactly("manifest.json");
        amendments.remove(SNAPSHOT);

        amendments.save(amendment(2));
        new Manifests(store).remove(SNAPSHOT);
        assertThat(temporary.resolve("store/snapshots")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1_000_000_000_000_000_000L, Long.MAX_VALUE})
    void refusesNumbersThatNoKeyCanSay(long number) {
        assertThatThrownBy(() -> amendment(number)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"amendment-0.json", "amendment-01.json", "amendment-.json", "amendment-1"})
    void takesNoOtherObjectForAnAmendment(String name) throws IOException {
        store.put(ObjectKey.ofSnapshot(SNAPSHOT, name), new ByteArrayInputStream(new byte[0]));

        assertThat(amendments.find(SNAPSHOT)).isEqualTo(new Amendments.Found(null, 0, null));
    }

    private static Amendment amendment(long number) {
        return new Amendment(SNAPSHOT, number, facts("fact of change " + number));
    }

    private static JsonObject facts(String note) {
        return Json.createObjectBuilder()
                .add("expiresAt", "2026-01-09T03:04:06.500Z")
                .add("note", note)
                .build();
    }

    private Path file(long number) {
        return path(SNAPSHOT, number);
    }

    private Path path(UUID snapshot, long number) {
        return temporary.resolve("store/snapshots/" + snapshot + "/amendment-" + number + ".json");
    }

    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        store.list(
                ObjectKey.snapshotPrefix(SNAPSHOT),
                object ->
                        names.add(
                                object.key()
                                        .value()
                                        .substring(object.key().value().lastIndexOf('/') + 1)));
        return names;
    }
}
