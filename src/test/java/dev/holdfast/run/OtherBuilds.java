package dev.holdfast.run;

import dev.holdfast.storage.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * What the preparation of another host might have made: a runtime build and a base image that do
 * the same as those of this host and have digests of their own. So what one host's sandboxes run
 * with and start from is on the other only if it came from the store.
 */
final class OtherBuilds {

    private OtherBuilds() {}

    /**
     * Makes them of what is there.
     *
     * @param prepared the cache of this host
     * @param cache that of the other one
     */
    static void make(Path prepared, Path cache) throws IOException {
        var builds = Files.createDirectories(cache.resolve("runtime"));
        var build = copy(prepared.resolve("runtime/current/runsc"), builds, 1);
        var place = Files.createDirectory(builds.resolve(Sha256.of(build).hex()));
        Files.move(build, place.resolve("runsc"));
        Files.createSymbolicLink(builds.resolve("current"), place.getFileName());

        var images = prepared.resolve("template");
        var others = Files.createDirectories(cache.resolve("template"));
        var base = Files.readString(images.resolve("base.digest")).strip();
        // An image says itself where it ends, and is read by whole blocks.
        var image = copy(images.resolve(base + ".squashfs"), others, 4096);
        var digest = Sha256.of(image).hex();
        Files.move(image, others.resolve(digest + ".squashfs"));
        Files.writeString(others.resolve("base.digest"), digest + "\n");
        share("code-interpreter-v1", images, others);
    }

    private static Path copy(Path file, Path directory, int more) throws IOException {
        var copy = directory.resolve("copy");
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        Files.write(copy, new byte[more], StandardOpenOption.APPEND);
        return copy;
    }

    /** It is large. */
    private static void share(String name, Path images, Path others) throws IOException {
        var digest = images.resolve(name + ".digest");
        var image = Files.readString(digest).strip() + ".squashfs";
        Files.copy(digest, others.resolve(digest.getFileName()));
        Files.createSymbolicLink(others.resolve(image), images.resolve(image));
    }
}
