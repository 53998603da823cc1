package dev.holdfast.storage;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file that is named by its own digest: made once, never changed, needed by many snapshots. */
public record Blob(Kind kind, Sha256 digest) {

    public enum Kind {
        /** A root file system image. */
        TEMPLATE("templates", ".squashfs", "rw-------"),

        /** A build of the program that runs sandboxes; an image is restored by its own writer. */
        RUNTIME("runtimes", "", "rwx------");

        private final String directory;
        private final String suffix;
        private final String mode;
        private final Pattern shape;

        Kind(String directory, String suffix, String mode) {
            this.directory = directory;
            this.suffix = suffix;
            this.mode = mode;
            this.shape = Pattern.compile(directory + "/([0-9a-f]{64})" + Pattern.quote(suffix));
        }

        /** What the keys of this kind begin with, without the slash. */
        public String directory() {
            return directory;
        }

        Set<PosixFilePermission> mode() {
            return PosixFilePermissions.fromString(mode);
        }
    }

    public Blob {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(digest, "digest");
    }

    /** The blob that an object is by its name; empty when it is none. */
    public static Optional<Blob> of(String key) {
        for (Kind kind : Kind.values()) {
            Matcher named = kind.shape.matcher(key);
            if (named.matches()) {
                return Optional.of(new Blob(kind, new Sha256(named.group(1))));
            }
        }
        return Optional.empty();
    }

    /** Also the place of its local copy, below the cache directory. */
    public ObjectKey key() {
        return new ObjectKey(kind.directory + "/" + digest + kind.suffix);
    }
}
