package dev.holdfast.worker;

import dev.holdfast.storage.Blob;
import dev.holdfast.storage.BlobCache;
import dev.holdfast.storage.Sha256;
import dev.holdfast.template.TemplateId;
import dev.holdfast.template.Templates;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What host preparation made, published into the store once, and the local copies that machines are
 * made from: the runtime build and the images of the built-in templates, all named by digest.
 */
@ApplicationScoped
public class Builds {

    private static final List<String> BUILT_IN = List.of("base", "code-interpreter-v1");

    @Inject BlobCache blobs;
    @Inject Templates templates;
    @Inject WorkerConfig config;

    private volatile Blob runtime;

    /** Publishes what is there and says what is not. */
    List<String> publish() {
        List<String> missing = new ArrayList<>();
        Path build = config.cache().resolve("runtime/current/runsc");
        Path digest = config.cache().resolve("template/base.digest");
        for (String name : BUILT_IN) {
            templates.introduceBuiltIn(new TemplateId(name), config.size());
        }
        try {
            if (Files.isExecutable(build)) {
                runtime = blobs.publish(Blob.Kind.RUNTIME, build);
            } else {
                missing.add("there is no runtime build in " + build + "; run host preparation");
            }
            if (Files.isReadable(digest)) {
                publishTemplate(Files.readString(digest).strip());
            } else {
                missing.add("there is no template image in " + digest + "; run host preparation");
            }
        } catch (IOException e) {
            missing.add("the store cannot be written: " + e.getMessage());
        }
        return missing;
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

    private void publishTemplate(String digest) throws IOException {
        Path image = config.cache().resolve("template").resolve(digest + ".squashfs");
        Blob blob = blobs.publish(Blob.Kind.TEMPLATE, image);
        if (!blob.digest().hex().equals(digest)) {
            throw new IOException(image + " is not what its name says");
        }
        for (String name : BUILT_IN) {
            templates.publishBuiltIn(new TemplateId(name), digest, config.size());
        }
    }

    private Path local(Blob.Kind kind, String digest) {
        try {
            return blobs.require(new Blob(kind, new Sha256(digest)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
