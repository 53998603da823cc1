package dev.holdfast.drive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Where this worker has the files of volumes, {@code holdfast.volume.*}. */
@ApplicationScoped
public class DriveConfig {

    @Inject
    @ConfigProperty(name = "holdfast.home", defaultValue = "/var/lib/holdfast")
    Path home;

    @Inject
    @ConfigProperty(name = "holdfast.volume.directory")
    Optional<Path> directory;

    @Inject
    @ConfigProperty(name = "holdfast.worker.id", defaultValue = "worker-1")
    String worker;

    @Inject
    @ConfigProperty(name = "holdfast.volume.reserve-mib", defaultValue = "1024")
    long reserveMebibytes;

    Path home() {
        return home;
    }

    Path directory() {
        return directory.orElse(home.resolve("volumes"));
    }

    /** How many bytes of the disk volumes leave to everything else. */
    long reserve() {
        return reserveMebibytes << 20;
    }

    /** This node's name as a worker. */
    public String worker() {
        return worker;
    }
}
