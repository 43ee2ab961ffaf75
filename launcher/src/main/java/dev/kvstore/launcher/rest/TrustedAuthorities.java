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
import javax.net.ssl.TrustManagerFactory;
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
        try (InputStream in = file == null ? InputStream.nullInputStream() : Files.newInputStream(file)) {
            if (file == null) {
                return SSLContext.getDefault();
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry(Integer.toString(store.size()), authority);
            }
            if (store.size() == 0) {
                throw new IllegalArgumentException("--ca: " + file + " holds no certificate");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new IllegalArgumentException("--ca: " + file + " cannot be read: " + IoReason.of(e), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("--ca: " + file + " must hold certificates in PEM", e);
        }
    }
}
