package dev.holdfast.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sandbox.AtTimeout;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.snapshot.Amended;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Phase;
import dev.holdfast.snapshot.Recovered;
import dev.holdfast.snapshot.Sealed;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.storage.DirectoryStore;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.ObjectKey;
import dev.holdfast.storage.Part;
import dev.holdfast.storage.Parts;
import dev.holdfast.storage.StorageConfig;
import dev.holdfast.volume.Mount;
import dev.holdfast.volume.MountPath;
import dev.holdfast.volume.VolumeId;
import dev.holdfast.worker.Frozen;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row that is saved and its manifest say the same, member by member. */
class ManifestOfTest {

    private static final Instant CREATED = Instant.parse("2026-01-02T03:04:05.123456Z");
    private static final Instant SAVED = CREATED.plusSeconds(9);
    private static final Instant EXPIRES = CREATED.plus(Duration.ofDays(7));

    /** What no manifest says, and why an import need not know it. */
    private static final Map<String, String> NOT_IN_A_MANIFEST =
            Map.ofEntries(
                    Map.entry("deadlineAt", "of a capture that is over"),
                    Map.entry("partsCheckedAt", "the next scrub finds out"),
                    Map.entry("retentionSeconds", "what was asked for; its expiry came of it"),
                    Map.entry("expiryWarnedSeconds", "rather a second warning than none"),
                    Map.entry("restoreFailure", "the next restore finds out"),
                    Map.entry("restoreFailedAt", "the next restore finds out"),
                    Map.entry("removalReason", "what has a manifest is not removed"),
                    Map.entry("removedAt", "what has a manifest is not removed"),
                    Map.entry("failure", "what has a manifest has not failed"),
                    Map.entry("failureReason", "what has a manifest has not failed"),
                    Map.entry("failureFigures", "what has a manifest has not failed"),
                    Map.entry("idempotency", "whoever repeats the capture had its answer"),
                    Map.entry("cleanupAttempts", "what has a manifest is not cleaned up"),
                    Map.entry("cleanupAfter", "what has a manifest is not cleaned up"),
                    Map.entry("cleanupError", "what has a manifest is not cleaned up"),
                    Map.entry("note", "in the amendment beside it"),
                    Map.entry("labels", "in the amendment beside it"),
                    Map.entry("ownExpiresAt", "of a pin or a hold, in the amendment beside it"),
                    Map.entry("pin", "in the amendment beside it"),
                    Map.entry("hold", "in the amendment beside it"),
                    Map.entry("lastRestoredAt", "the next restore finds out"),
                    Map.entry("changeNumber", "numbers the amendments beside it"),
                    Map.entry("storedChange", "numbers the amendments beside it"),
                    Map.entry("version", "counts the changes of the row itself"));

    /** What the beans would have set, each unlike the default and unlike every other. */
    private static final Map<String, Object> ROW =
            Map.ofEntries(
                    Map.entry("id", UUID.randomUUID()),
                    Map.entry("uploadId", UUID.randomUUID()),
                    Map.entry("projectId", UUID.randomUUID()),
                    Map.entry("kind", Kind.AUTO),
                    Map.entry("state", SnapshotState.UPLOADING),
                    Map.entry("phase", Phase.SEALING),
                    Map.entry("shortName", "deps-ready"),
                    Map.entry("tag", "v1.2"),
                    Map.entry("nameHeld", true),
                    Map.entry("sourceSandboxId", "iabcdefghij0123456789"),
                    Map.entry("parentId", UUID.randomUUID()),
                    Map.entry("templateId", "base"),
                    Map.entry("templateDigest", "ab".repeat(32)),
                    Map.entry("workerId", "worker-7"),
                    Map.entry("cpus", 3),
                    Map.entry("memoryMib", 384),
                    Map.entry("diskMib", 2048),
                    Map.entry("secured", true),
                    Map.entry("memory", true),
                    Map.entry("lifecycle", new Lifecycle(AtTimeout.PAUSE, true)),
                    Map.entry(
                            "network",
                            new NetworkPolicy(
                                    Optional.of(false),
                                    List.of(),
                                    List.of(),
                                    false,
                                    Optional.of("inside.example"))),
                    Map.entry("metadata", new TreeMap<>(Map.of("user", "ü \"1\""))),
                    Map.entry("environment", new TreeMap<>(Map.of("A", "b c"))),
                    Map.entry(
                            "mounts",
                            List.of(
                                    new Mount(
                                            new VolumeId(UUID.randomUUID()),
                                            "data",
                                            new MountPath("/mnt/data")))),
                    Map.entry("createdAt", CREATED),
                    Map.entry("createdBy", "key:1234"));

    @TempDir Path temporary;

    private DirectoryStore store;
    private Manifests manifests;
    private Parts parts;

    @BeforeEach
    void opens() throws Exception {
        var config =
                new StorageConfig(
                        temporary.resolve("store"),
                        temporary.resolve("cache"),
                        1 << 20,
                        1,
                        1,
                        Duration.ofHours(1));
        store = new DirectoryStore(config.root(), Clock.systemUTC());
        manifests = new Manifests(store);
        parts = new Parts(store, config);
    }

    @Test
    @Tag("F22")
    void holdsEveryColumnOfASavedRow() throws Exception {
        Snapshot row = entity();
        for (var each : ROW.entrySet()) {
            field(each.getKey()).set(row, each.getValue());
        }
        Manifest manifest = stored(row);
        long length = store.size(manifest.key()).orElseThrow();
        Method seal = Snapshot.class.getDeclaredMethod("seal", Sealed.class);
        seal.setAccessible(true);
        seal.invoke(row, ManifestOf.outcome(manifest, length, frozen()));

        Snapshot read = recovered(ManifestOf.row(manifest, length));

        for (Field field : Snapshot.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    || NOT_IN_A_MANIFEST.containsKey(field.getName())) {
                continue;
            }
            field.setAccessible(true);
            assertThat(field.get(row))
                    .as(
                            "the test gives column "
                                    + field.getName()
                                    + " a value, or says why no manifest needs it")
                    .isNotNull();
            assertThat(field.get(read))
                    .as("column " + field.getName() + ", read back from the manifest")
                    .isEqualTo(field.get(row));
        }
    }

    /** Those that were written before the manifest said which worker, lifecycle and network. */
    @Test
    void readsManifestsOfEarlierBuilds() throws Exception {
        Snapshot row = entity();
        for (var each : ROW.entrySet()) {
            field(each.getKey()).set(row, each.getValue());
        }
        Manifest manifest = stored(row);
        Path file = temporary.resolve("store").resolve(manifest.key().value());
        String text = Files.readString(file);
        String earlier =
                text.replace(",\"worker\":\"worker-7\"", "")
                        .replace(",\"onTimeout\":\"PAUSE\",\"autoResume\":true", "")
                        .replaceFirst(
                                "\"network\":\\{[^}]*\\}",
                                "\"publicTraffic\":false,\"internet\":false");
        assertThat(earlier).hasSizeLessThan(text.length());
        Files.writeString(file, earlier);

        Recovered read =
                ManifestOf.row(
                        manifests.find((UUID) ROW.get("id")).orElseThrow(), earlier.length());

        assertThat(read.source().worker()).isEqualTo("unknown");
        assertThat(read.settings().lifecycle()).isEqualTo(Lifecycle.ENDS);
        assertThat(read.settings().network().publicTraffic()).isFalse();
        assertThat(read.settings().network().internet()).contains(false);
    }

    private Manifest stored(Snapshot row) throws Exception {
        Path raw = Files.writeString(temporary.resolve("pages.img"), "0123456789".repeat(2000));
        Part part =
                parts.seal("pages.img", raw, ObjectKey.ofSnapshot(row.id().value(), "pages.img"));
        manifests.save(
                ManifestOf.snapshot(row, frozen(), List.of(part), SAVED, Optional.of(EXPIRES)));
        return manifests.find(row.id().value()).orElseThrow();
    }

    private static Frozen frozen() {
        return new Frozen(
                List.of("pages.img"),
                Duration.ofMillis(123),
                new Fingerprint(
                        "cd".repeat(32), "gvisor systrap", "amd64", List.of("avx2", "sse2"), 4));
    }

    private static Snapshot entity() throws ReflectiveOperationException {
        Constructor<Snapshot> bare = Snapshot.class.getDeclaredConstructor();
        bare.setAccessible(true);
        return bare.newInstance();
    }

    private static Snapshot recovered(Recovered found) throws ReflectiveOperationException {
        Constructor<Snapshot> imported =
                Snapshot.class.getDeclaredConstructor(Recovered.class, Amended.class);
        imported.setAccessible(true);
        return imported.newInstance(found, Amended.unknown(0));
    }

    private static Field field(String name) throws NoSuchFieldException {
        Field field = Snapshot.class.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
