package dev.holdfast.hop;

import dev.holdfast.fleet.Address;
import dev.holdfast.fleet.Workers;
import dev.holdfast.worker.WorkerConfig;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Has the other nodes know where this one is reached, and what it shows there. */
@Singleton
@Startup
@DependsOn("WorkerNode")
public class Reach {

    private static final Logger LOG = Logger.getLogger(Reach.class);

    @Inject Workers workers;
    @Inject WorkerConfig here;

    @Inject
    @ConfigProperty(name = "holdfast.worker.address")
    Optional<String> place;

    @Inject
    @ConfigProperty(name = "holdfast.tls.keystore")
    Optional<Path> keyStore;

    @Inject
    @ConfigProperty(name = "holdfast.tls.keystore.password")
    Optional<String> password;

    @PostConstruct
    void tell() {
        Optional<Address> address =
                place.filter(text -> !text.isBlank())
                        .map(text -> Address.of(text.strip(), certificates()));
        workers.tellAddress(here.id(), address);
        address.ifPresent(
                told -> LOG.infof("Other nodes reach worker %s at %s", here.id(), told.place()));
    }

    private List<String> certificates() {
        Path file =
                keyStore.orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "HOLDFAST_WORKER_ADDRESS wants HOLDFAST_TLS_KEYSTORE: other"
                                                + " nodes know this one by the certificate in it"));
        try {
            return shown(file, password.orElse("").toCharArray());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(
                    "HOLDFAST_WORKER_ADDRESS is set, and the certificate in "
                            + file
                            + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Of every key in the store: the listener chooses one by what a client can. */
    static List<String> shown(Path file, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        List<String> digests = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)
                    && store.getCertificate(alias) instanceof X509Certificate certificate) {
                digests.add(Pin.digest(certificate));
            }
        }
        if (digests.isEmpty()) {
            throw new GeneralSecurityException("it holds no key with a certificate");
        }
        return digests;
    }
}
