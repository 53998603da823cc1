package dev.holdfast.worker;

import dev.holdfast.fleet.FleetConfig;
import dev.holdfast.runtime.RuntimeConfig;
import dev.holdfast.template.Size;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of this worker, {@code holdfast.worker.*}; durations in ISO 8601. */
@ApplicationScoped
public class WorkerConfig {

    private static final long MEBIBYTE = 1024L * 1024;
    private static final Duration DRAIN = Duration.ofMinutes(5);

    @Inject
    @ConfigProperty(name = "holdfast.worker.id", defaultValue = "worker-1")
    String id;

    @Inject Config config;
    @Inject FleetConfig fleet;

    @Inject
    @ConfigProperty(name = "holdfast.worker.required", defaultValue = "true")
    boolean required;

    @Inject
    @ConfigProperty(name = "holdfast.worker.sandboxes", defaultValue = "100")
    int sandboxes;

    @Inject
    @ConfigProperty(name = "holdfast.worker.processes", defaultValue = "256")
    int processes;

    @Inject
    @ConfigProperty(name = "holdfast.worker.greeting", defaultValue = "PT30S")
    Duration greeting;

    @Inject
    @ConfigProperty(name = "holdfast.worker.quiet", defaultValue = "PT10S")
    Duration quiet;

    /** Clients take a connection for dead after 300 s of silence. */
    @Inject
    @ConfigProperty(name = "holdfast.worker.answer", defaultValue = "PT280S")
    Duration answer;

    @Inject
    @ConfigProperty(name = "holdfast.cache", defaultValue = "/var/cache/holdfast")
    Path cache;

    @Inject
    @ConfigProperty(name = "holdfast.worker.cpus", defaultValue = "2")
    int cpus;

    @Inject
    @ConfigProperty(name = "holdfast.worker.memory-mib", defaultValue = "512")
    int memoryMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.worker.disk-mib", defaultValue = "5120")
    int diskMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.worker.held-mib")
    Optional<Long> heldMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.worker.drain")
    Optional<Duration> drain;

    @PostConstruct
    void check() {
        if (drain().isNegative()) {
            throw new IllegalArgumentException(
                    "holdfast.worker.drain is PT0S or longer, not " + drain());
        }
    }

    public String id() {
        return id;
    }

    /** Tells this installation from another one that has the same name. */
    public String instance() {
        return RuntimeConfig.from(config).instance();
    }

    /**
     * How many bytes of what agents say are held at once; a quarter of the heap unless it is set.
     */
    long held() {
        return heldMebibytes
                .map(mebibytes -> mebibytes * MEBIBYTE)
                .orElse(Runtime.getRuntime().maxMemory() / 4);
    }

    /** Whether this node is ready only when it can run sandboxes. */
    boolean required() {
        return required;
    }

    /** How many sandboxes run here at most. */
    int sandboxes() {
        return sandboxes;
    }

    /** How many processes an ordinary user has in a sandbox at most. */
    int processes() {
        return processes;
    }

    /** How long a machine's agent may take to answer for the first time. */
    Duration greeting() {
        return greeting;
    }

    /** How long an agent may take to fall silent before a checkpoint. */
    Duration quiet() {
        return quiet;
    }

    /**
     * How long a stop waits until what runs here is paused; no time: it does not, and what runs
     * here ends. So it is for a node that is alone, where nobody else could let it go on.
     */
    Duration drain() {
        return drain.orElse(fleet.isAlone() ? Duration.ZERO : DRAIN);
    }

    /** How long an agent may take for the answer to a call. */
    Duration answer() {
        return answer;
    }

    /** What host preparation made. */
    public Path cache() {
        return cache;
    }

    /** What a sandbox of a built-in template may use. */
    public Size size() {
        return new Size(cpus, memoryMebibytes, diskMebibytes);
    }
}
