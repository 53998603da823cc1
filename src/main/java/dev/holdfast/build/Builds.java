package dev.holdfast.build;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.storage.Blob;
import dev.holdfast.storage.BlobCache;
import dev.holdfast.storage.Disk;
import dev.holdfast.storage.Sha256;
import dev.holdfast.template.Built;
import dev.holdfast.template.Template;
import dev.holdfast.template.TemplateId;
import dev.holdfast.template.TemplateOrder;
import dev.holdfast.template.Templates;
import dev.holdfast.worker.WorkerConfig;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;

/** Takes archives and makes templates' images of them, one after the other. */
@ApplicationScoped
public class Builds {

    /** Told to nobody but an operator: its owner has deleted it, or was told of the deadline. */
    private static final String UNWANTED = "it was deleted before it was built";

    private static final TemplateId BASE = new TemplateId("base");

    private static final Logger LOG = Logger.getLogger(Builds.class);

    @Inject BlobCache blobs;
    @Inject BuildConfig config;
    @Inject DatabaseTime time;
    @Inject Images images;
    @Inject Templates templates;
    @Inject WorkerConfig worker;
    @Resource ManagedExecutorService executor;

    private final Deque<Incoming> waiting = new ArrayDeque<>();
    private boolean busy;
    private Workshop workshop;

    @PostConstruct
    void prepare() {
        workshop = new Workshop(config.directory());
    }

    /** Fails what an earlier run of this node left unfinished, and removes its files. */
    void open() throws IOException {
        for (TemplateId broken : templates.unfinished(worker.id())) {
            templates.fail(broken, "the server was stopped in the middle of the build");
        }
        workshop.open();
    }

    /**
     * Writes a template down and takes its archive.
     *
     * @param announced the length of the archive, or -1
     * @throws Problem saying why not; nothing was done
     */
    public Incoming begin(TemplateOrder order, long announced) {
        if (announced > config.archiveBytes()) {
            throw Incoming.tooLarge(config.archiveBytes());
        }
        base();
        Template template = templates.order(order);
        try {
            Path place = workshop.place(order.id().value());
            return new Incoming(this, template, place, config.archiveBytes());
        } catch (IOException e) {
            templates.fail(order.id(), "the server could not take the archive");
            throw new UncheckedIOException(e);
        }
    }

    /** Does it when it is its turn; nobody waits for that with a thread. */
    void build(Incoming incoming) {
        synchronized (waiting) {
            waiting.add(incoming);
            if (busy) {
                return;
            }
            busy = true;
        }
        try {
            executor.execute(this::work);
        } catch (RejectedExecutionException e) {
            for (Incoming refused = next(); refused != null; refused = next()) {
                abandon(refused, "the server is too busy to build it");
            }
        }
    }

    void abandon(Incoming incoming, String why) {
        fail(incoming.template().id(), why);
        clear(incoming);
    }

    private void work() {
        try {
            buildAll();
        } catch (Error e) {
            synchronized (waiting) {
                busy = false; // the next archive finds somebody to build it
            }
            throw e;
        }
    }

    private void buildAll() {
        for (Incoming next = next(); next != null; next = next()) {
            try {
                make(next);
            } catch (BuildFailure e) {
                fail(next.template().id(), e.getMessage());
            } catch (IOException | RuntimeException e) {
                LOG.warnf(e, "Template %s could not be built", next.template().id());
                fail(next.template().id(), "the server could not build it; its log says why");
            } finally {
                clear(next);
            }
        }
    }

    private Incoming next() {
        synchronized (waiting) {
            Incoming next = waiting.poll();
            busy = next != null;
            return next;
        }
    }

    /** The database may be what failed; then the job does it at the deadline. */
    private void fail(TemplateId id, String why) {
        try {
            templates.fail(id, why);
        } catch (RuntimeException e) {
            LOG.warnf(e, "Template %s could not be marked as failed", id);
        }
    }

    private void make(Incoming incoming) throws IOException, BuildFailure {
        Template template = incoming.template();
        if (!templates.isWanted(template.id())) {
            throw new BuildFailure(UNWANTED);
        }
        Duration left = Duration.between(time.now(), template.createdAt().plus(config.deadline()));
        ImageBuild.start(
                        workshop.program(),
                        incoming.archive(),
                        incoming.place(),
                        base(),
                        config.unpackedMebibytes(),
                        config.files())
                .await(left);
        Path image = incoming.place().resolve("image");
        ImageSettings settings = ImageSettings.read(incoming.place().resolve("config"));
        Sha256 digest = Sha256.of(image);
        if (!templates.claimImage(template.id(), digest.hex())) {
            throw new BuildFailure(UNWANTED);
        }
        boolean ready = false;
        try {
            blobs.publish(Blob.Kind.TEMPLATE, image);
            Built built = new Built(Files.size(image), settings.environment());
            ready = templates.ready(template.id(), built);
            LOG.infof("Template %s has image %s", template.id(), digest);
        } finally {
            if (!ready) {
                templates.fail(template.id(), "the server could not store its image");
                images.removeUnneeded(digest.hex());
            }
        }
    }

    /** The image that brings the agent: of this host, or as a worker has published it. */
    private Path base() {
        Path prepared = worker.cache().resolve("template");
        try {
            Path digest = prepared.resolve("base.digest");
            Path base = prepared.resolve(Files.readString(digest).strip() + ".squashfs");
            if (Files.isRegularFile(base)) {
                return base;
            }
        } catch (IOException e) {
            LOG.debug("there is no base image", e);
        }
        return published()
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.NO_WORKER,
                                        "There is no image of the template base, which every other"
                                                + " one takes its agent from: neither on this node's"
                                                + " host nor from a worker. Run host preparation."));
    }

    private Optional<Path> published() {
        Optional<String> digest = templates.find(BASE).flatMap(Template::digest);
        try {
            return digest.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            blobs.require(new Blob(Blob.Kind.TEMPLATE, new Sha256(digest.get()))));
        } catch (IOException e) {
            LOG.warn("The base image cannot be had from the store", e);
            return Optional.empty();
        }
    }

    private void clear(Incoming incoming) {
        try {
            incoming.close();
            Disk.deleteTree(incoming.place());
        } catch (IOException e) {
            LOG.warnf(e, "%s is left for the next start", incoming.place());
        }
    }
}
