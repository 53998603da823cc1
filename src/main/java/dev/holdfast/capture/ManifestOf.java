package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.sandbox.AtTimeout;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkPolicyConverter;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Recovered;
import dev.holdfast.snapshot.Sealed;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.storage.Fingerprint;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.Part;
import dev.holdfast.storage.Sha256;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import dev.holdfast.volume.MountsConverter;
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
public final class ManifestOf {

    private static final String WORKER = "worker";
    private static final String MOUNTS = "mounts";

    /** Manifests did not always say which worker they come from; it is only where to look first. */
    private static final String UNKNOWN_WORKER = "unknown";

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
                        destinations(snapshot),
                        frozen.fingerprint().agentProtocol(),
                        frozen.fingerprint().stateFormat()),
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

    /** Without a mount at each of these its image cannot be restored. */
    private static SortedMap<String, Fingerprint.MountMode> destinations(Snapshot snapshot) {
        SortedMap<String, Fingerprint.MountMode> where = new TreeMap<>();
        snapshot.mounts()
                .forEach(
                        mount -> where.put(mount.path().value(), Fingerprint.MountMode.READ_WRITE));
        return where;
    }

    private static Manifest.Name name(SnapshotName name) {
        return new Manifest.Name(name.shortName(), name.tag());
    }

    private static JsonObject settings(Snapshot snapshot) {
        JsonObjectBuilder settings =
                Json.createObjectBuilder()
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
                        .add(WORKER, snapshot.worker());
        if (!snapshot.mounts().isEmpty()) {
            settings.add(MOUNTS, MountsConverter.json(snapshot.mounts()));
        }
        snapshot.lifecycle()
                .idleTimeout()
                .ifPresent(idle -> settings.add("idleSeconds", idle.toSeconds()));
        return settings.build();
    }

    /**
     * The row that was written after this manifest.
     *
     * @param manifestBytes the stored length of the manifest itself, which the quota counts as well
     * @throws RuntimeException the manifest says what no row can hold
     */
    public static Recovered row(Manifest manifest, long manifestBytes) {
        Manifest.Identity identity = manifest.identity();
        Manifest.Origin origin = manifest.origin();
        return new Recovered(
                new SnapshotId(identity.snapshotId()),
                new UploadId(identity.uploadId()),
                new ProjectId(identity.projectId()),
                Kind.valueOf(identity.kind().name()),
                identity.named().map(name -> new SnapshotName(name.shortName(), name.tag())),
                new Recovered.Source(
                        new SandboxId(origin.sandboxId()),
                        origin.parent().map(SnapshotId::new),
                        new TemplateId(origin.template().name()),
                        origin.template().digest().hex(),
                        manifest.machine().getString(WORKER, UNKNOWN_WORKER)),
                settings(manifest.machine()),
                manifest.moments().createdAt(),
                manifest.createdBy(),
                new Sealed(
                        fingerprint(manifest.fingerprint()),
                        manifest.rawBytes(),
                        manifest.storedBytes() + manifestBytes,
                        manifest.moments().frozenFor(),
                        manifest.moments().savedAt(),
                        manifest.moments().expiry()));
    }

    private static dev.holdfast.snapshot.Fingerprint fingerprint(Fingerprint stored) {
        return new dev.holdfast.snapshot.Fingerprint(
                stored.runtimeDigest().hex(),
                stored.platform(),
                stored.architecture(),
                List.copyOf(stored.cpuFeatures()),
                stored.agentProtocol(),
                stored.stateFormat());
    }

    private static Recovered.Settings settings(JsonObject machine) {
        return new Recovered.Settings(
                new Size(
                        machine.getInt("cpus"),
                        machine.getInt("memoryMib"),
                        machine.getInt("diskMib")),
                machine.getBoolean("secured"),
                machine.getBoolean("memory", true),
                new Lifecycle(
                        AtTimeout.valueOf(machine.getString("onTimeout", AtTimeout.KILL.name())),
                        machine.getBoolean("autoResume", false),
                        machine.containsKey("idleSeconds")
                                ? machine.getJsonNumber("idleSeconds").longValue()
                                : null),
                NetworkPolicyConverter.policy(
                        machine.containsKey("network")
                                ? machine.getJsonObject("network")
                                : machine),
                map(machine.getJsonObject("metadata")),
                map(machine.getJsonObject("environment")),
                machine.containsKey(MOUNTS)
                        ? MountsConverter.mounts(machine.getJsonArray(MOUNTS))
                        : List.of());
    }

    private static Map<String, String> map(JsonObject json) {
        Map<String, String> map = new TreeMap<>();
        json.keySet().forEach(key -> map.put(key, json.getString(key)));
        return map;
    }

    private static JsonObjectBuilder object(Map<String, String> map) {
        JsonObjectBuilder json = Json.createObjectBuilder();
        map.forEach(json::add);
        return json;
    }
}
