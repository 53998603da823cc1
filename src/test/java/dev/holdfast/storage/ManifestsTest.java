package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestsTest {

    private static final UUID SNAPSHOT = UUID.fromString("0b8c5c0e-6f5e-4d7b-9a55-6d8f6b1c2a34");

    @TempDir Path temporary;

    private DirectoryStore store;
    private Manifests manifests;
    private List<Part> parts;

    @BeforeEach
    void seal() throws IOException {
        StorageConfig config = Samples.config(temporary, 1L << 30);
        store = new DirectoryStore(config.root(), Clock.systemUTC());
        manifests = new Manifests(store);
        parts =
                Samples.checkpoint(
                        new Parts(store, config), SNAPSHOT, temporary.resolve("c"), 20_000);
    }

    @Test
    void givesBackAllThatWasSaved() throws IOException {
        Manifest manifest = Samples.manifest(SNAPSHOT, parts);

        manifests.save(manifest);

        assertThat(manifests.find(SNAPSHOT)).contains(manifest);
    }

    @Test
    void keepsWhatIsAbsentAbsent() throws IOException {
        Manifest full = Samples.manifest(SNAPSHOT, parts);
        Manifest bare =
                new Manifest(
                        new Manifest.Identity(
                                SNAPSHOT,
                                full.identity().projectId(),
                                full.identity().uploadId(),
                                Manifest.Kind.PAUSE,
                                null),
                        new Manifest.Origin(
                                full.origin().sandboxId(), full.origin().template(), null),
                        new Manifest.Moments(Instant.EPOCH, Instant.EPOCH, null, Duration.ZERO),
                        full.machine(),
                        full.fingerprint(),
                        full.createdBy(),
                        new Manifest.Encryption("aes-256-gcm", "key-7"),
                        parts,
                        full.labels());

        manifests.save(bare);

        Manifest found = manifests.find(SNAPSHOT).orElseThrow();
        assertThat(found).isEqualTo(bare);
        assertThat(found.identity().named()).isEmpty();
        assertThat(found.origin().parent()).isEmpty();
        assertThat(found.moments().expiry()).isEmpty();
        assertThat(found.encrypted()).contains(new Manifest.Encryption("aes-256-gcm", "key-7"));
    }

    @Test
    void writesTheSameBytesInTheSameOrderEveryTime() throws IOException {
        manifests.save(Samples.manifest(SNAPSHOT, parts));
        manifests.save(Samples.manifest(SNAPSHOT, parts));

        assertThat(stored())
                .startsWith("{\"version\":1,\"snapshotId\":\"" + SNAPSHOT + "\",\"projectId\":")
                .contains("\"createdAt\":\"2026-01-02T03:04:05.123456Z\"")
                .contains("\"cipher\":null,\"keyId\":null,\"parts\":[{\"name\":\"checkpoint.img\"")
                .contains("\"flags\":{\"directfs\":\"true\",\"network\":\"sandbox\"}");
    }

    @Test
    void neverReplacesAManifest() throws IOException {
        manifests.save(Samples.manifest(SNAPSHOT, parts));
        List<Part> fewer = parts.subList(0, 2);

        assertThatThrownBy(() -> manifests.save(Samples.manifest(SNAPSHOT, fewer)))
                .isInstanceOf(ObjectConflictException.class);
    }

    @Test
    @Tag("F18")
    void refusesSealWhenPartMissing() throws IOException {
        store.delete(parts.get(1).key());

        assertThatThrownBy(() -> manifests.save(Samples.manifest(SNAPSHOT, parts)))
                .isInstanceOf(PartMissingException.class);
        assertThat(manifests.find(SNAPSHOT)).isEmpty();
    }

    @Test
    void refusesSealWhenAPartIsTooShort() throws IOException {
        Files.write(temporary.resolve("store").resolve(parts.get(1).key().value()), new byte[3]);

        assertThatThrownBy(() -> manifests.save(Samples.manifest(SNAPSHOT, parts)))
                .isInstanceOf(PartCorruptException.class);
    }

    @Test
    void ignoresMembersItDoesNotKnow() throws IOException {
        Manifest manifest = Samples.manifest(SNAPSHOT, parts);
        manifests.save(manifest);
        alter("{\"version\"", "{\"invented\":{\"later\":[1,2]},\"version\"");
        alter("{\"name\":\"pages.img\"", "{\"chunks\":[],\"name\":\"pages.img\"");

        assertThat(manifests.find(SNAPSHOT)).contains(manifest);
    }

    @Test
    void refusesAVersionItDoesNotKnow() throws IOException {
        manifests.save(Samples.manifest(SNAPSHOT, parts));
        alter("\"version\":1", "\"version\":2");

        assertThatThrownBy(() -> manifests.find(SNAPSHOT))
                .isInstanceOf(ManifestException.class)
                .hasMessage("manifest version 2 is not known here; this build reads version 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{}",
                "{\"version\":\"1\"}",
                "{\"version\":1}",
                "{\"version\":1.5}",
                "{\"version\":1e99}",
                "{\"version\":1,\"snapshotId\":7}"
            })
    void refusesWhatIsNoManifest(String content) throws IOException {
        put(content);

        assertThatThrownBy(() -> manifests.find(SNAPSHOT)).isInstanceOf(ManifestException.class);
    }

    @Test
    void refusesDamagedMembers() throws IOException {
        manifests.save(Samples.manifest(SNAPSHOT, parts));
        String good = stored();

        assertRefused(good.replace("\"rawBytes\":20000", "\"rawBytes\":20001"));
        assertRefused(good.replace("\"kind\":\"SNAPSHOT\"", "\"kind\":\"COPY\""));
        assertRefused(good.replace("\"compression\":\"zstd\"", "\"compression\":\"lz4\""));
        assertRefused(good.replace("\"createdBy\":\"key:1234\",", ""));
        assertRefused(good.replace("\"createdAt\":\"2026", "\"createdAt\":\"soon"));
        assertRefused(good.replace("/pages.img\"", "/../pages.img\""));
        assertRefused(good.replace(SNAPSHOT.toString(), UUID.randomUUID().toString()));
    }

    @Test
    void refusesAManifestTooLargeToRead() throws IOException {
        put(" ".repeat(4 * 1024 * 1024) + "{}");

        assertThatThrownBy(() -> manifests.find(SNAPSHOT))
                .isInstanceOf(ManifestException.class)
                .hasMessage("the manifest is too large");
    }

    @Test
    void guardsWhatPartsMayBelongToASnapshot() {
        Part first = parts.get(0);

        assertThatThrownBy(() -> Samples.manifest(SNAPSHOT, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Samples.manifest(SNAPSHOT, List.of(first, first)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Samples.manifest(UUID.randomUUID(), parts))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("F24")
    void removesAllOfASnapshotAlsoWhenSomeIsGoneAndNothingOfOthers() throws IOException {
        UUID other = UUID.randomUUID();
        store.put(ObjectKey.ofSnapshot(other, "pages.img"), new ByteArrayInputStream(new byte[1]));
        manifests.save(Samples.manifest(SNAPSHOT, parts));
        ObjectKey unlisted = ObjectKey.ofSnapshot(SNAPSHOT, "unlisted");
        store.put(unlisted, new ByteArrayInputStream(new byte[1]));
        store.delete(parts.get(1).key());

        manifests.remove(SNAPSHOT);
        manifests.remove(SNAPSHOT);

        assertThat(manifests.find(SNAPSHOT)).isEmpty();
        List<ObjectKey> left = new ArrayList<>();
        store.list("", object -> left.add(object.key()));
        assertThat(left).containsExactly(ObjectKey.ofSnapshot(other, "pages.img"));
    }

    @Test
    void addsItsPartsUp() {
        Manifest manifest = Samples.manifest(SNAPSHOT, parts);

        assertThat(manifest.rawBytes()).isEqualTo(20_000);
        assertThat(manifest.storedBytes())
                .isEqualTo(parts.stream().mapToLong(Part::storedLength).sum());
    }

    private void assertRefused(String content) throws IOException {
        assertThat(content).isNotEqualTo(stored());
        String good = stored();
        put(content);
        assertThatThrownBy(() -> manifests.find(SNAPSHOT)).isInstanceOf(ManifestException.class);
        put(good);
    }

    private void alter(String from, String to) throws IOException {
        assertThat(stored()).contains(from);
        put(stored().replace(from, to));
    }

    private void put(String content) throws IOException {
        store.delete(Manifest.keyOf(SNAPSHOT));
        store.put(Manifest.keyOf(SNAPSHOT), new ByteArrayInputStream(content.getBytes(UTF_8)));
    }

    private String stored() throws IOException {
        return Files.readString(temporary.resolve("store/" + Manifest.keyOf(SNAPSHOT)));
    }
}
