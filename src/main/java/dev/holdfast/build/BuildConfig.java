package dev.holdfast.build;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of builds, {@code holdfast.build.*}; durations in ISO 8601. */
@ApplicationScoped
public class BuildConfig {

    @Inject
    @ConfigProperty(name = "holdfast.home", defaultValue = "/var/lib/holdfast")
    Path home;

    @Inject
    @ConfigProperty(name = "holdfast.build.deadline", defaultValue = "PT1H")
    Duration deadline;

    @Inject
    @ConfigProperty(name = "holdfast.build.archive-mib", defaultValue = "4096")
    int archiveMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.build.unpacked-mib", defaultValue = "8192")
    int unpackedMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.build.files", defaultValue = "500000")
    int files;

    Path directory() {
        return home.resolve("build");
    }

    /** A template that is not ready by then, its upload included, has failed. */
    public Duration deadline() {
        return deadline;
    }

    /** How large an archive may be as it is sent. */
    public long archiveBytes() {
        return (long) archiveMebibytes << 20;
    }

    /** What an archive may unpack to, what is needed on the way included. */
    int unpackedMebibytes() {
        return unpackedMebibytes;
    }

    /** How many files and directories an archive may hold. */
    int files() {
        return files;
    }
}
