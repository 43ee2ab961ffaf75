package dev.kvstore.dataplane.server;

import dev.kvstore.client.internal.EndpointAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** The JDK's own TLS, as a second opinion on what a listener does. */
final class TlsPeer {
    private static final int TIMEOUT_MILLIS = 10_000;

    private TlsPeer() {}

    /** The owner of the certificate that a new connection sees, which speaks only this version of TLS. */
    static String of(String endpoint, Path authority, String protocol) throws IOException, GeneralSecurityException {
        EndpointAddress address = EndpointAddress.parse(endpoint);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust(authority).getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(address.host(), address.port())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            parameters.setProtocols(new String[] {protocol});
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            X509Certificate own = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return own.getSubjectX500Principal().getName();
        }
    }

    private static TrustManagerFactory trust(Path authority) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }
}
