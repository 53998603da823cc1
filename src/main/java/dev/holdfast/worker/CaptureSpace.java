package dev.holdfast.worker;

import dev.holdfast.snapshot.UploadId;
import dev.holdfast.storage.Disk;
import dev.holdfast.storage.StorageConfig;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Where checkpoints are written before they are sealed: the file system of the image cache. */
@ApplicationScoped
public class CaptureSpace {

    private static final Logger LOG = Logger.getLogger(CaptureSpace.class);

    @Inject StorageConfig config;

    private Path root;

    @PostConstruct
    void open() {
        root = config.cache().resolve("captures");
        try {
            Files.createDirectories(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A directory that does not exist yet. */
    public Path fresh(UploadId upload) {
        return root.resolve(upload.toString());
    }

    /** Removes what a capture left; nothing there is fine. */
    public void remove(Path directory) {
        try {
            Disk.deleteTree(directory);
        } catch (IOException e) {
            LOG.warnf(e, "Left behind in %s", directory);
        }
    }

    /** Removes what captures left that a crash broke off. */
    void clear() {
        try (Stream<Path> left = Files.list(root)) {
            left.forEach(this::remove);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
