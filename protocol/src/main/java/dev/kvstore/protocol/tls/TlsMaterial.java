package dev.kvstore.protocol.tls;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of TLS files at one moment. Immutable.
 *
 * @param identity the certificate chain and key; null if none was named
 * @param trust authorities; empty if none were named
 */
public record TlsMaterial(@Nullable TlsIdentity identity, List<X509Certificate> trust) {
    public TlsMaterial {
        trust = List.copyOf(trust);
    }
}
