package dev.kvstore.launcher.rest;

import dev.kvstore.launcher.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The authorities of {@code --ca}. */
public final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /**
     * A TLS context that trusts only the authorities of a file; Java's own for none.
     *
     * @throws IllegalArgumentException if the file cannot be read, or has no authority
     */
    public static SSLContext of(@Nullable Path file) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {manager(file)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    /**
     * Trusts only the authorities of a file; Java's own for none.
     *
     * @throws IllegalArgumentException if the file cannot be read, or has no authority
     */
    public static X509ExtendedTrustManager manager(@Nullable Path file) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(file == null ? null : store(file));
            return (X509ExtendedTrustManager) trust.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("--ca: " + file + " must hold certificates in PEM", e);
        }
    }

    private static KeyStore store(Path file) throws GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry(Integer.toString(store.size()), authority);
            }
            if (store.size() == 0) {
                throw new IllegalArgumentException("--ca: " + file + " holds no certificate");
            }
            return store;
        } catch (IOException e) {
            throw new IllegalArgumentException("--ca: " + file + " cannot be read: " + IoReason.of(e), e);
        }
    }
}
