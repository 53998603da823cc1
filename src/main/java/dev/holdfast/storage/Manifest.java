package dev.holdfast.storage;

import jakarta.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * All that is known of one saved snapshot when it is saved, kept beside its parts and written after
 * them: the catalogue can be rebuilt from manifests and the {@link Amendment}s beside them.
 *
 * @param machine the machine's settings (memory, processors, disk, host name, ...) as the room that
 *     runs machines wrote them
 * @param encryption null: this version stores plain
 * @param labels what later rooms want to say without a new version
 */
public record Manifest(
        Identity identity,
        Origin origin,
        Moments moments,
        JsonObject machine,
        Fingerprint fingerprint,
        String createdBy,
        Encryption encryption,
        List<Part> parts,
        SortedMap<String, String> labels) {

    /** The version this build writes, and the only one it reads. */
    public static final int VERSION = 1;

    public static final String FILE_NAME = "manifest.json";

    private static final int MAX_PARTS = 256;
    private static final int MAX_LABELS = 256;

    public Manifest {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(moments, "moments");
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(fingerprint, "fingerprint");
        createdBy = text("createdBy", createdBy, 512);
        parts = List.copyOf(parts);
        labels = labels(labels);
        if (!fingerprint.templateDigest().equals(origin.template().digest())) {
            throw new IllegalArgumentException("the fingerprint names another template");
        }
        requireOwnParts(identity.snapshotId(), parts);
    }

    /** What a snapshot was asked for as. */
    public enum Kind {
        SNAPSHOT,
        PAUSE,
        AUTO,
        FORK
    }

    /**
     * @param name null when unnamed
     */
    public record Identity(UUID snapshotId, UUID projectId, UUID uploadId, Kind kind, Name name) {
        public Identity {
            Objects.requireNonNull(snapshotId, "snapshotId");
            Objects.requireNonNull(projectId, "projectId");
            Objects.requireNonNull(uploadId, "uploadId");
            Objects.requireNonNull(kind, "kind");
        }

        public Optional<Name> named() {
            return Optional.ofNullable(name);
        }
    }

    /** The qualified name is made when read, because a project can be renamed. */
    public record Name(String shortName, String tag) {
        private static final Pattern SHORT = Pattern.compile("[a-z0-9_-]{1,128}");
        private static final Pattern TAG = Pattern.compile("[a-z0-9_.-]{1,128}");

        public Name {
            if (!SHORT.matcher(Objects.requireNonNull(shortName, "shortName")).matches()
                    || !TAG.matcher(Objects.requireNonNull(tag, "tag")).matches()) {
                throw new IllegalArgumentException("not a snapshot name");
            }
        }
    }

    /**
     * @param parentSnapshotId the snapshot that the source was restored from; null if none
     */
    public record Origin(String sandboxId, Template template, UUID parentSnapshotId) {
        public Origin {
            sandboxId = text("sandboxId", sandboxId, 128);
            Objects.requireNonNull(template, "template");
        }

        public Optional<UUID> parent() {
            return Optional.ofNullable(parentSnapshotId);
        }
    }

    /** The template by the name it had then; its digest is what counts. */
    public record Template(String name, Sha256 digest) {
        public Template {
            name = text("template name", name, 256);
            Objects.requireNonNull(digest, "digest");
        }
    }

    /**
     * Moments in microseconds, as the database keeps them.
     *
     * @param expiresAt null: never by itself
     * @param frozenFor how long the source stood still
     */
    public record Moments(
            Instant createdAt, Instant savedAt, Instant expiresAt, Duration frozenFor) {
        public Moments {
            createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
            savedAt = savedAt.truncatedTo(ChronoUnit.MICROS);
            expiresAt = expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MICROS);
            frozenFor = frozenFor.truncatedTo(ChronoUnit.MICROS);
            if (savedAt.isBefore(createdAt) || frozenFor.isNegative()) {
                throw new IllegalArgumentException("a snapshot is saved after it was begun");
            }
        }

        public Optional<Instant> expiry() {
            return Optional.ofNullable(expiresAt);
        }
    }

    /** How parts are enciphered, once a store does that. */
    public record Encryption(String cipher, String keyId) {
        public Encryption {
            cipher = text("cipher", cipher, 64);
            keyId = text("keyId", keyId, 256);
        }
    }

    public ObjectKey key() {
        return keyOf(identity.snapshotId());
    }

    public static ObjectKey keyOf(UUID snapshotId) {
        return ObjectKey.ofSnapshot(snapshotId, FILE_NAME);
    }

    public Optional<Encryption> encrypted() {
        return Optional.ofNullable(encryption);
    }

    public long rawBytes() {
        return parts.stream().mapToLong(Part::rawLength).reduce(0, Math::addExact);
    }

    public long storedBytes() {
        return parts.stream().mapToLong(Part::storedLength).reduce(0, Math::addExact);
    }

    /** Texts are bounded: what is written here is read back whole into memory. */
    static String text(String what, String value, int most) {
        if (Objects.requireNonNull(value, what).isBlank() || value.length() > most) {
            throw new IllegalArgumentException(what + " is empty or too long");
        }
        return value;
    }

    private static SortedMap<String, String> labels(Map<String, String> labels) {
        if (labels.size() > MAX_LABELS) {
            throw new IllegalArgumentException("a manifest has too many labels");
        }
        labels.forEach(
                (key, value) -> {
                    text("label", key, 128);
                    if (Objects.requireNonNull(value, "label value").length() > 4096) {
                        throw new IllegalArgumentException("a label's value is too long");
                    }
                });
        return Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    private static void requireOwnParts(UUID snapshotId, List<Part> parts) {
        if (parts.isEmpty() || parts.size() > MAX_PARTS) {
            throw new IllegalArgumentException("a manifest has 1 to " + MAX_PARTS + " parts");
        }
        Set<String> names = new HashSet<>();
        Set<ObjectKey> keys = new HashSet<>(Set.of(keyOf(snapshotId)));
        for (Part part : parts) {
            if (!names.add(part.name()) || !keys.add(part.key())) {
                throw new IllegalArgumentException("a manifest lists a part twice");
            }
            if (!part.key().value().startsWith(ObjectKey.snapshotPrefix(snapshotId))) {
                throw new IllegalArgumentException("a manifest lists another snapshot's part");
            }
        }
    }
}
