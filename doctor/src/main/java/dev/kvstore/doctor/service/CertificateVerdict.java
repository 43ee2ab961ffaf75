package dev.kvstore.doctor.service;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Lets every server through, and keeps its certificates and what a client would have said of them. For one thread. */
final class CertificateVerdict extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager strict;
    private List<X509Certificate> chain = List.of();
    private @Nullable CertificateException flaw;

    CertificateVerdict(X509ExtendedTrustManager strict) {
        this.strict = strict;
    }

    /** The server's certificates; none before it showed them. */
    List<X509Certificate> chain() {
        return chain;
    }

    /** Why a client would not have gone on; null if it would. */
    @Nullable
    CertificateException flaw() {
        return flaw;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] shown, String type, Socket socket) {
        chain = List.of(shown);
        try {
            strict.checkServerTrusted(shown, type, socket);
        } catch (CertificateException e) {
            flaw = e;
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] shown, String type, SSLEngine engine) {
        throw new UnsupportedOperationException("sockets alone");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] shown, String type) {
        throw new UnsupportedOperationException("sockets alone");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] shown, String type, Socket socket) {
        throw new UnsupportedOperationException("clients alone");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] shown, String type, SSLEngine engine) {
        throw new UnsupportedOperationException("clients alone");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] shown, String type) {
        throw new UnsupportedOperationException("clients alone");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return strict.getAcceptedIssuers();
    }
}
