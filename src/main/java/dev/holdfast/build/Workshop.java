package dev.holdfast.build;

import dev.holdfast.storage.Disk;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** The directory of builds: the program that makes images, and one directory for each build. */
final class Workshop {

    private static final List<String> TOOLS = List.of("build-template.sh", "image.sh");

    private static final FileAttribute<?> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path root;

    Workshop(Path root) {
        this.root = root;
    }

    /** Removes what builds of an earlier run left, and puts the program of this one there. */
    void open() throws IOException {
        Disk.deleteTree(root);
        Files.createDirectories(root, PRIVATE_DIRECTORY);
        Files.createDirectory(root.resolve("tools"), PRIVATE_DIRECTORY);
        for (String tool : TOOLS) {
            try (InputStream content = Workshop.class.getResourceAsStream("/sandbox/" + tool)) {
                if (content == null) {
                    throw new IOException("this build of the server lacks " + tool);
                }
                Files.copy(content, tools().resolve(tool), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    Path program() {
        return tools().resolve("build-template.sh");
    }

    Path place(String build) throws IOException {
        Path place = root.resolve(build);
        Files.createDirectory(place, PRIVATE_DIRECTORY);
        return place;
    }

    private Path tools() {
        return root.resolve("tools");
    }

    /** An archive on its way in, which nobody else may read. */
    static OutputStream write(Path file) throws IOException {
        return Channels.newOutputStream(
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PRIVATE_FILE));
    }
}
