package dev.holdfast.gateway;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCertificateTest {

    private static final Clock NOW = Clock.systemUTC();

    /** Made once, as each one takes seconds; every test has a copy of its own. */
    @TempDir static Path made;

    @TempDir Path home;

    @BeforeAll
    static void makesOne() throws IOException {
        ServerCertificate.prepare(made, name -> null, NOW);
    }

    @BeforeEach
    void takesACopy() throws IOException {
        Path from = made.resolve("tls");
        Path to =
                Files.createDirectory(
                        home.resolve("tls"),
                        PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(from)));
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    void makesOneForTheDomainSignedByAnAuthorityThatStays() throws Exception {
        ServerCertificate first = prepare(Map.of());
        byte[] authority = Files.readAllBytes(first.authority());
        byte[] store = Files.readAllBytes(first.keyStore());

        X509Certificate certificate = certificate(first);
        assertThat(certificate.getSubjectAlternativeNames())
                .contains(
                        List.of(2, "*.holdfast.localhost"),
                        List.of(2, "holdfast.localhost"),
                        List.of(2, "localhost"),
                        List.of(7, "127.0.0.1"));
        assertThat(certificate.getBasicConstraints()).as("no authority itself").isEqualTo(-1);
        assertThat(prepare(Map.of())).isEqualTo(first);
        assertThat(Files.readAllBytes(first.keyStore())).as("kept").isEqualTo(store);
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(home.resolve("tls"))))
                .isEqualTo("rwx------");

        ServerCertificate other = prepare(Map.of("HOLDFAST_DOMAIN", "box.example:9443"));
        assertThat(certificate(other).getSubjectAlternativeNames())
                .contains(List.of(2, "*.box.example"));
        assertThat(Files.readAllBytes(other.authority())).isEqualTo(authority);

        Clock later = Clock.offset(NOW, Duration.ofDays(350));
        ServerCertificate.prepare(home, name -> null, later);
        assertThat(Files.readAllBytes(other.keyStore())).as("renewed").isNotEqualTo(store);
    }

    @Test
    void takesPemFilesThatFitTogether() throws Exception {
        ServerCertificate own = prepare(Map.of());
        Path key = pemKey(own);
        Path chain = home.resolve("tls/server.pem");

        ServerCertificate configured =
                prepare(
                        Map.of(
                                "HOLDFAST_TLS_CERTIFICATE",
                                chain.toString(),
                                "HOLDFAST_TLS_KEY",
                                key.toString()));

        assertThat(configured.authority()).isNull();
        assertThat(certificate(configured)).isEqualTo(certificate(own));
        assertThat(Files.getPosixFilePermissions(configured.keyStore())).hasSize(2);
    }

    @Test
    void takesAKeyStoreAsItIs() throws IOException {
        ServerCertificate own = prepare(Map.of());

        assertThat(
                        prepare(
                                Map.of(
                                        "HOLDFAST_TLS_KEYSTORE",
                                        own.keyStore().toString(),
                                        "HOLDFAST_TLS_KEYSTORE_PASSWORD",
                                        "secret")))
                .isEqualTo(new ServerCertificate(own.keyStore(), "secret", null));
    }

    @Test
    void saysWhatIsWrongWithTheSettings() throws Exception {
        ServerCertificate own = prepare(Map.of());
        Path key = pemKey(own);
        Path foreign = own.authority();
        Path chain = home.resolve("tls/server.pem");

        assertThatThrownBy(() -> prepare(Map.of("HOLDFAST_TLS_KEY", key.toString())))
                .hasMessageContaining("go together");
        assertThatThrownBy(() -> pem(home.resolve("none"), key))
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> pem(foreign, key)).hasMessageContaining("is not that of");
        assertThatThrownBy(() -> pem(chain, chain)).hasMessageContaining("openssl pkcs8");
        assertThatThrownBy(() -> pem(key, key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> prepare(Map.of("HOLDFAST_DOMAIN", "https://box.example")))
                .hasMessageContaining("HOLDFAST_DOMAIN");
    }

    private ServerCertificate pem(Path certificate, Path key) throws IOException {
        return prepare(
                Map.of(
                        "HOLDFAST_TLS_CERTIFICATE",
                        certificate.toString(),
                        "HOLDFAST_TLS_KEY",
                        key.toString()));
    }

    private ServerCertificate prepare(Map<String, String> settings) throws IOException {
        return ServerCertificate.prepare(home, settings::get, NOW);
    }

    private static KeyStore load(ServerCertificate made) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(made.keyStore())) {
            store.load(in, made.password().toCharArray());
        }
        return store;
    }

    private static X509Certificate certificate(ServerCertificate made) throws Exception {
        return (X509Certificate) load(made).getCertificate("server");
    }

    private Path pemKey(ServerCertificate made) throws Exception {
        byte[] key = load(made).getKey("server", made.password().toCharArray()).getEncoded();
        return Files.writeString(
                home.resolve("key.pem"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n");
    }
}
