package dev.kvstore.protocol.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The identity of one end of a connection: certificate chain and key. Immutable.
 *
 * @param chain its own certificate, then those that lead to an authority
 * @param key of the first certificate
 */
public record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
    private static final Duration LONGEST_NOTICE = Duration.ofDays(7);

    /** Short-lived certificates are renewed in their last third. */
    private static final int SHARE_OF_LIFE = 3;

    private static final byte[] PROBE = {'k', 'v'};

    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** The key is a secret. */
    @Override
    public String toString() {
        return "Identity[" + name() + ", until " + expiry() + "]";
    }

    /** The owner of the certificate, as the certificate says. */
    public String name() {
        return chain.get(0).getSubjectX500Principal().getName();
    }

    /** When the first certificate of the chain ends. */
    public Instant expiry() {
        return firstToEnd().getNotAfter().toInstant();
    }

    /** Whether it should have been renewed: 7 days before it ends, or in the last third of a shorter life. */
    public boolean endsSoon(Instant now) {
        X509Certificate first = firstToEnd();
        Duration third = Duration.between(
                        first.getNotBefore().toInstant(), first.getNotAfter().toInstant())
                .dividedBy(SHARE_OF_LIFE);
        Duration notice = third.compareTo(LONGEST_NOTICE) < 0 ? third : LONGEST_NOTICE;
        return now.isAfter(expiry().minus(notice));
    }

    private X509Certificate firstToEnd() {
        return chain.stream()
                .min(Comparator.comparing(X509Certificate::getNotAfter))
                .orElseThrow();
    }

    /** Whether what the key signs is believed to be signed by the certificate. */
    boolean matches() {
        X509Certificate own = chain.get(0);
        if (!own.getPublicKey().getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        try {
            Signature signature =
                    Signature.getInstance(key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(own.getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false; // as of EC keys on two different curves
        }
    }
}
