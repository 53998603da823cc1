package dev.holdfast.hop;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts a few certificates and nothing else: neither an authority nor a name nor a date makes
 * another one good. That the other side has the key of what it shows is TLS's own proof.
 */
final class Pin extends X509ExtendedTrustManager {

    private final Set<String> digests;

    private Pin(Collection<String> digests) {
        this.digests = Set.copyOf(digests);
    }

    static SSLContext context(Collection<String> digests) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] managers = {new Pin(digests)};
            context.init(null, managers, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has TLS", e);
        }
    }

    /** In lower-case hex. */
    static String digest(X509Certificate certificate) throws CertificateException {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.of().formatHex(hash);
        } catch (GeneralSecurityException e) {
            throw new CertificateException("the certificate has no digest", e);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain == null || chain.length == 0 || !digests.contains(digest(chain[0]))) {
            throw new CertificateException(
                    "this is not the certificate that the worker wrote into the database");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("no client is known by a certificate");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw new CertificateException("no client is known by a certificate");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("no client is known by a certificate");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
