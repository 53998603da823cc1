package dev.holdfast.worker;

import dev.holdfast.event.Event;
import dev.holdfast.fleet.Publications;
import dev.holdfast.storage.Blob;
import dev.holdfast.storage.BlobCache;
import dev.holdfast.storage.Sha256;
import dev.holdfast.template.Generations;
import dev.holdfast.template.TemplateId;
import dev.holdfast.template.Templates;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * What host preparation made, published into the store once, and the local copies that machines are
 * made from: the runtime build and the images of the built-in templates, all named by digest.
 */
@ApplicationScoped
public class Builds {

    /** The subject of an event about a blob, before its key. */
    public static final String SUBJECT = "blob:";

    /** A template that everybody may use, with its generation and whose image it starts from. */
    private record BuiltIn(String name, int generation, String image) {}

    private static final List<BuiltIn> BUILT_IN =
            List.of(
                    new BuiltIn("base", 2, "base"),
                    new BuiltIn("base-light", 1, "base"),
                    new BuiltIn("code-interpreter-v1", 2, "code-interpreter-v1"));

    private static final Logger LOG = Logger.getLogger(Builds.class);

    @Inject BlobCache blobs;
    @Inject Generations generations;
    @Inject Publications publications;
    @Inject Templates templates;
    @Inject WorkerConfig config;

    private volatile Blob runtime;

    /** Publishes what is there and says what is not. */
    List<String> publish() {
        List<String> missing = new ArrayList<>();
        Path build = config.cache().resolve("runtime/current/runsc");
        offered()
                .forEach(
                        each ->
                                templates.introduceBuiltIn(
                                        new TemplateId(each.name()),
                                        each.generation(),
                                        config.size()));
        try {
            if (Files.isExecutable(build)) {
                publications.announce(Publications.Kind.RUNTIME, Sha256.of(build).hex());
                runtime = blobs.publish(Blob.Kind.RUNTIME, build);
            } else {
                missing.add("there is no runtime build in " + build + "; run host preparation");
            }
            for (String image : images()) {
                Path digest = config.cache().resolve("template/" + image + ".digest");
                if (Files.isReadable(digest)) {
                    publishTemplate(image, Files.readString(digest).strip());
                } else {
                    missing.add(
                            "there is no template image in " + digest + "; run host preparation");
                }
            }
        } catch (IOException e) {
            missing.add("the store cannot be written: " + e.getMessage());
        }
        return missing;
    }

    /** Something was removed from the store: its copy here is of no more use. */
    public void observe(@Observes Event event) {
        if (event.subject().startsWith(SUBJECT)) {
            Blob.of(event.subject().substring(SUBJECT.length())).ifPresent(this::forget);
        }
    }

    /** Drops the copies that nobody needs any more, of which this worker was not told. */
    void forgetUnwanted() {
        try {
            blobs.local().forEach(this::forget);
        } catch (IOException e) {
            LOG.warnf(e, "Copies that nobody needs stay");
        }
    }

    /** Asks again: it may have been published anew, and a machine here may already run with it. */
    private void forget(Blob blob) {
        try {
            if (!publications.isWanted(
                    Publications.Kind.valueOf(blob.kind().name()), blob.digest().hex())) {
                blobs.forget(blob);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warnf(e, "A copy of %s that nobody needs stays", blob.key());
        }
    }

    /** The digest of the build that fresh sandboxes run with. */
    Optional<String> runtimeDigest() {
        return Optional.ofNullable(runtime).map(blob -> blob.digest().hex());
    }

    Path runtime(String digest) {
        return local(Blob.Kind.RUNTIME, digest);
    }

    Path template(String digest) {
        return local(Blob.Kind.TEMPLATE, digest);
    }

    private void publishTemplate(String name, String digest) throws IOException {
        publications.announce(Publications.Kind.TEMPLATE, digest);
        Path image = config.cache().resolve("template").resolve(digest + ".squashfs");
        Blob blob = blobs.publish(Blob.Kind.TEMPLATE, image);
        if (!blob.digest().hex().equals(digest)) {
            throw new IOException(image + " is not what its name says");
        }
        offered()
                .filter(each -> each.image().equals(name))
                .forEach(
                        each ->
                                templates.publishBuiltIn(
                                        new TemplateId(each.name()),
                                        each.generation(),
                                        digest,
                                        config.size()));
    }

    private Stream<BuiltIn> offered() {
        return BUILT_IN.stream().filter(each -> generations.offered().contains(each.generation()));
    }

    private Set<String> images() {
        return offered().map(BuiltIn::image).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private Path local(Blob.Kind kind, String digest) {
        try {
            return blobs.require(new Blob(kind, new Sha256(digest)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
