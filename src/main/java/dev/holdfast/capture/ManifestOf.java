package dev.holdfast.capture;

import dev.holdfast.sandbox.NetworkPolicyConverter;
import dev.holdfast.snapshot.Sealed;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.storage.Fingerprint;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.Part;
import dev.holdfast.storage.Sha256;
import dev.holdfast.worker.Frozen;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** What the catalogue and the store say of the same snapshot, made from one another. */
final class ManifestOf {

    /** The layout of a saved state: the runtime's checkpoint files, one part each. */
    private static final int STATE_FORMAT = 1;

    private ManifestOf() {}

    static Manifest snapshot(
            Snapshot snapshot,
            Frozen frozen,
            List<Part> parts,
            Instant savedAt,
            Optional<Instant> expiresAt) {
        SortedMap<String, String> none = new TreeMap<>();
        return new Manifest(
                identity(snapshot),
                new Manifest.Origin(
                        snapshot.source().value(),
                        new Manifest.Template(
                                snapshot.template().value(), new Sha256(snapshot.templateDigest())),
                        snapshot.parent().map(id -> id.value()).orElse(null)),
                new Manifest.Moments(
                        snapshot.createdAt(), savedAt, expiresAt.orElse(null), frozen.freeze()),
                settings(snapshot),
                new Fingerprint(
                        new Sha256(frozen.fingerprint().runtimeBuild()),
                        frozen.fingerprint().platform(),
                        none,
                        frozen.fingerprint().architecture(),
                        new TreeSet<>(frozen.fingerprint().cpuFeatures()),
                        new Sha256(snapshot.templateDigest()),
                        new TreeMap<>(),
                        frozen.fingerprint().agentProtocol(),
                        STATE_FORMAT),
                snapshot.createdBy(),
                null,
                parts,
                none);
    }

    static Sealed outcome(Manifest manifest, long manifestBytes, Frozen frozen) {
        return new Sealed(
                frozen.fingerprint(),
                manifest.rawBytes(),
                manifest.storedBytes() + manifestBytes,
                frozen.freeze(),
                manifest.moments().savedAt(),
                manifest.moments().expiry());
    }

    private static Manifest.Identity identity(Snapshot snapshot) {
        UUID id = snapshot.id().value();
        return new Manifest.Identity(
                id,
                snapshot.project().value(),
                snapshot.upload().value(),
                Manifest.Kind.valueOf(snapshot.kind().name()),
                snapshot.name().map(ManifestOf::name).orElse(null));
    }

    private static Manifest.Name name(SnapshotName name) {
        return new Manifest.Name(name.shortName(), name.tag());
    }

    private static JsonObject settings(Snapshot snapshot) {
        return Json.createObjectBuilder()
                .add("cpus", snapshot.size().cpus())
                .add("memoryMib", snapshot.size().memoryMebibytes())
                .add("diskMib", snapshot.size().diskMebibytes())
                .add("secured", snapshot.isSecured())
                .add("memory", snapshot.hasMemory())
                .add("onTimeout", snapshot.lifecycle().onTimeout().name())
                .add("autoResume", snapshot.lifecycle().autoResume())
                .add("network", NetworkPolicyConverter.json(snapshot.network()))
                .add("metadata", object(snapshot.metadata()))
                .add("environment", object(snapshot.environment()))
                .build();
    }

    private static JsonObjectBuilder object(Map<String, String> map) {
        JsonObjectBuilder json = Json.createObjectBuilder();
        map.forEach(json::add);
        return json;
    }
}
