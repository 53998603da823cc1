package dev.holdfast.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The certificate of the HTTPS listener, made ready before the server starts: a key store from
 * configuration, one made of PEM files from configuration, or one of our own for local use. The
 * last is signed by a small authority that is made once for each home, so that a client can trust
 * the authority and the certificate can be renewed, or made for another domain, without its notice.
 *
 * @param keyStore a PKCS #12 or JKS file that the server reads
 * @param authority what a client has to trust; null unless the certificate is our own
 */
public record ServerCertificate(Path keyStore, String password, Path authority) {

    /** The domain of a server that has none: names below it are this machine, where they are. */
    public static final String LOCAL_DOMAIN = "holdfast.localhost";

    /** Our own files are kept by their permissions; the format wants a password all the same. */
    private static final String OWN_PASSWORD = "holdfast";

    private static final Pattern DOMAIN =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,200}(:\\d{1,5})?");

    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);
    private static final Pattern PEM_KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /**
     * For a script that starts the server: makes it ready in the home that it is given, as the
     * environment says, and prints the key store and its password, a line each.
     */
    public static void main(String... arguments) throws IOException {
        ServerCertificate ready =
                prepare(Path.of(arguments[0]), System.getenv()::get, Clock.systemUTC());
        System.out.println(ready.keyStore());
        System.out.println(ready.password());
    }

    /**
     * Reads the settings and makes what has to be made.
     *
     * @param setting gives a setting by its name ({@code HOLDFAST_TLS_...}), or null
     * @throws IllegalArgumentException for settings that contradict each other or files that do not
     *     fit together
     */
    public static ServerCertificate prepare(Path home, UnaryOperator<String> setting, Clock clock)
            throws IOException {
        String store = given(setting, "HOLDFAST_TLS_KEYSTORE");
        String certificate = given(setting, "HOLDFAST_TLS_CERTIFICATE");
        String key = given(setting, "HOLDFAST_TLS_KEY");
        if (store != null) {
            String password = given(setting, "HOLDFAST_TLS_KEYSTORE_PASSWORD");
            return new ServerCertificate(readable(store), password == null ? "" : password, null);
        }
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "HOLDFAST_TLS_CERTIFICATE and HOLDFAST_TLS_KEY go together; one is missing");
        }
        Path place = home.resolve("tls");
        Files.createDirectories(
                place,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return certificate == null
                ? own(place, domain(given(setting, "HOLDFAST_DOMAIN")), clock)
                : ofPem(place, readable(certificate), readable(key));
    }

    private static ServerCertificate ofPem(Path place, Path certificate, Path key)
            throws IOException {
        Path target = place.resolve("configured.p12");
        try (InputStream in = Files.newInputStream(certificate)) {
            Certificate[] chain =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(in)
                            .toArray(Certificate[]::new);
            if (chain.length == 0) {
                throw new IllegalArgumentException(certificate + " holds no certificate");
            }
            PrivateKey secret = key(key, chain[0].getPublicKey().getAlgorithm());
            requirePair(secret, chain[0], certificate, key);
            KeyStore made = KeyStore.getInstance("PKCS12");
            made.load(null, null);
            made.setKeyEntry("server", secret, OWN_PASSWORD.toCharArray(), chain);
            Path draft = place.resolve("configured.p12.new");
            Files.deleteIfExists(draft);
            try (var out = Files.newOutputStream(createPrivate(draft))) {
                made.store(out, OWN_PASSWORD.toCharArray());
            }
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "The certificate in "
                            + certificate
                            + " or the key in "
                            + key
                            + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
        return new ServerCertificate(target, OWN_PASSWORD, null);
    }

    private static PrivateKey key(Path file, String algorithm)
            throws IOException, GeneralSecurityException {
        Matcher pem = PEM_KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        if (!pem.find()) {
            throw new IllegalArgumentException(
                    file
                            + " holds no unencrypted PKCS #8 key (BEGIN PRIVATE KEY). Convert it with:"
                            + " openssl pkcs8 -topk8 -nocrypt");
        }
        byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    }

    private static void requirePair(
            PrivateKey key, Certificate certificate, Path certificateFile, Path keyFile)
            throws GeneralSecurityException {
        byte[] probe = {1, 2, 3};
        String with =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                };
        Signature signature = Signature.getInstance(with);
        signature.initSign(key);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(probe);
        if (!signature.verify(signed)) {
            throw new IllegalArgumentException(
                    "The key in "
                            + keyFile
                            + " is not that of the first certificate in "
                            + certificateFile);
        }
    }

    private static ServerCertificate own(Path place, String domain, Clock clock)
            throws IOException {
        var certificate =
                new ServerCertificate(
                        place.resolve("server.p12"), OWN_PASSWORD, place.resolve("authority.pem"));
        if (!certificate.serves(domain, clock)) {
            certificate.make(place, domain);
        }
        return certificate;
    }

    /** Whether it is there, for this domain, and for some time to come. */
    private boolean serves(String domain, Clock clock) throws IOException {
        if (!Files.exists(keyStore) || !Files.exists(authority)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(keyStore)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            var certificate = (X509Certificate) store.getCertificate("server");
            return certificate != null
                    && certificate
                            .getNotAfter()
                            .toInstant()
                            .isAfter(clock.instant().plus(RENEWED_BEFORE))
                    && certificate.getSubjectAlternativeNames().stream()
                            .anyMatch(name -> name.contains("*." + domain));
        } catch (GeneralSecurityException e) {
            return false; // broken off while it was written; made again
        }
    }

    /** By the JDK's own keytool: an authority if there is none yet, and what it signs. */
    private void make(Path place, String domain) throws IOException {
        Path signer = place.resolve("authority.p12");
        Path fresh = place.resolve("server.p12.new");
        Path request = place.resolve("request.pem");
        Path signed = place.resolve("server.pem");
        for (Path old : List.of(fresh, request, signed)) {
            Files.deleteIfExists(old);
        }
        if (!Files.exists(signer) || !Files.exists(authority)) {
            Files.deleteIfExists(signer);
            keytool(
                    signer,
                    "-genkeypair -alias authority -keyalg EC -groupname secp256r1 -validity 3650"
                            + " -ext bc:critical=ca:true,pathlen:0"
                            + " -ext ku:critical=keyCertSign,cRLSign",
                    "-dname",
                    "CN=Holdfast of this machine");
            keytool(signer, "-exportcert -rfc -alias authority", "-file", authority.toString());
        }
        keytool(
                fresh,
                "-genkeypair -alias server -keyalg EC -groupname secp256r1 -validity 365",
                "-dname",
                "CN=" + domain);
        keytool(fresh, "-certreq -alias server", "-file", request.toString());
        keytool(
                signer,
                "-gencert -rfc -alias authority -validity 365 -ext bc:critical=ca:false"
                        + " -ext ku:critical=digitalSignature -ext eku=serverAuth",
                "-ext",
                "san=dns:*." + domain + ",dns:" + domain + ",dns:localhost,ip:127.0.0.1",
                "-infile",
                request.toString(),
                "-outfile",
                signed.toString());
        keytool(fresh, "-importcert -noprompt -alias authority", "-file", authority.toString());
        keytool(fresh, "-importcert -noprompt -alias server", "-file", signed.toString());
        Files.move(fresh, keyStore, StandardCopyOption.ATOMIC_MOVE);
        Files.delete(request);
    }

    /** Each is a JVM of its own, over before it would be any use to optimise it. */
    private static void keytool(Path store, String words, String... more) throws IOException {
        List<String> line =
                Stream.of(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                                .toString(),
                                        "-J-XX:TieredStopAtLevel=1",
                                        "-J-XX:+UseSerialGC"),
                                Arrays.asList(words.split(" ")),
                                Arrays.asList(more),
                                List.of(
                                        "-keystore",
                                        store.toString(),
                                        "-storetype",
                                        "PKCS12",
                                        "-storepass",
                                        OWN_PASSWORD))
                        .flatMap(List::stream)
                        .toList();
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException("keytool failed: " + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a certificate was made", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path createPrivate(Path file) throws IOException {
        return Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** A configured domain may name the port that it is reached by. */
    private static String domain(String configured) {
        if (configured == null) {
            return LOCAL_DOMAIN;
        }
        if (!DOMAIN.matcher(configured).matches()) {
            throw new IllegalArgumentException(
                    "HOLDFAST_DOMAIN is a host name, with a port or without; this is none: "
                            + configured);
        }
        return configured.replaceFirst(":\\d+$", "");
    }

    private static Path readable(String file) {
        Path path = Path.of(file).toAbsolutePath();
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException(path + " cannot be read");
        }
        return path;
    }

    private static String given(UnaryOperator<String> setting, String name) {
        String value = setting.apply(name);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
