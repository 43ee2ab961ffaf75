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
 * @param chain the end's own certificate, then those that lead to an authority
 * @param key the key of the first certificate
 */
public record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
    private static final Duration LONGEST_NOTICE = Duration.ofDays(7);

    /** The part of a short-lived certificate's life, its last third, in which it should have been renewed. */
    private static final int SHARE_OF_LIFE = 3;

    private static final byte[] PROBE = {'k', 'v'};

    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** The text without the key, which is a secret. */
    @Override
    public String toString() {
        return "Identity[" + name() + ", until " + expiry() + "]";
    }

    /** The owner's name in the certificate. */
    public String name() {
        return chain.get(0).getSubjectX500Principal().getName();
    }

    /** The end of the first certificate of the chain. */
    public Instant expiry() {
        return firstToEnd().getNotAfter().toInstant();
    }

    /**
     * Whether the certificate should have been renewed: 7 days before its end, or in the last third of a shorter life.
     */
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

    /** Whether the certificate verifies a signature of the key. */
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
            return false; // such as EC keys on two different curves
        }
    }
}
