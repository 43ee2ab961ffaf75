package dev.kvstore.protocol.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TLS files of one end of a connection. Immutable.
 *
 * @param chain the end's certificate and those that lead to an authority; null if {@code key} is
 * @param key the key of the first certificate; null if {@code chain} is
 * @param trust trusted authorities; null if none are named
 */
public record TlsFiles(
        @Nullable PemFile chain,
        @Nullable PemFile key,
        @Nullable PemFile trust) {

    public TlsFiles {
        if ((chain == null) != (key == null)) {
            throw new IllegalArgumentException("a certificate and its key are given together");
        }
    }

    /** The text of the files at one moment, so that the compared text is the parsed text. */
    record TlsText(String chain, String key, String trust) {
        /** The text without the key, which is a secret. */
        @Override
        public String toString() {
            return "Content";
        }
    }

    TlsText content() throws BadPemException {
        return new TlsText(text(chain), text(key), text(trust));
    }

    private static String text(@Nullable PemFile file) throws BadPemException {
        return file == null ? "" : file.text();
    }

    /**
     * Reads the files.
     *
     * @throws BadPemException if a file cannot be used, key and certificate do not belong together, or a certificate is
     *     not valid now
     */
    public TlsMaterial read(Instant now) throws BadPemException {
        return parse(content(), now);
    }

    TlsMaterial parse(TlsText text, Instant now) throws BadPemException {
        return new TlsMaterial(
                chain == null || key == null ? null : identity(chain, key, text, now),
                trust == null ? List.of() : trust.certificates(text.trust()));
    }

    private static TlsIdentity identity(PemFile chain, PemFile key, TlsText text, Instant now) throws BadPemException {
        TlsIdentity identity = new TlsIdentity(chain.certificates(text.chain()), key.privateKey(text.key()));
        if (!identity.matches()) {
            throw key.flaw("is not the key of the certificate in " + chain.path() + " (" + identity.name()
                    + "); give the two that were made together, the own certificate first in its file");
        }
        for (X509Certificate certificate : identity.chain()) {
            Instant from = certificate.getNotBefore().toInstant();
            Instant until = certificate.getNotAfter().toInstant();
            if (now.isAfter(until)) {
                throw chain.flaw("holds a certificate that expired at " + until + "; renew it");
            }
            if (now.isBefore(from)) {
                throw chain.flaw("holds a certificate that is valid only from " + from + "; it is now " + now
                        + " by this machine's clock");
            }
        }
        return identity;
    }
}
