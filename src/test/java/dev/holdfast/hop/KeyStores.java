package dev.holdfast.hop;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Key stores with a key and a certificate that signs itself, by the JDK's own tool. */
public final class KeyStores {

    private static final String PASSWORD = "holdfast";

    private KeyStores() {}

    public static Path make(Path file) throws Exception {
        Process tool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-J-XX:TieredStopAtLevel=1",
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=not.the.address",
                                "-keystore",
                                file.toString(),
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD)
                        .inheritIO()
                        .start();
        if (tool.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        return file;
    }

    public static List<String> shown(Path file) throws Exception {
        return Reach.shown(file, PASSWORD.toCharArray());
    }

    /** What a listener speaks TLS with. */
    public static SSLContext context(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
