package dev.holdfast.storage;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

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

        Kind(String directory, String suffix, String mode) {
            this.directory = directory;
            this.suffix = suffix;
            this.mode = mode;
        }

        String directory() {
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

    /** Also the place of its local copy, below the cache directory. */
    public ObjectKey key() {
        return new ObjectKey(kind.directory + "/" + digest + kind.suffix);
    }
}
