package dev.kvstore.admin.repeat;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** Seals with AES-256-GCM: a nonce of 12 random bytes, then the sealed bytes and their tag of 16. Immutable. */
final class Seal {
    private static final String AES = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKey key;
    private final byte[] subject;

    /**
     * A seal.
     *
     * @param key used for very few messages, so that random nonces never meet
     * @param subject the owner of the sealed text, which is authenticated with it
     */
    Seal(SecretKey key, byte[] subject) {
        this.key = key;
        this.subject = subject.clone();
    }

    byte[] seal(byte[] open, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(open);
            return ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + AES, e);
        }
    }

    /**
     * Opens a sealed text.
     *
     * @throws IllegalStateException if it was sealed with another key or subject, or changed since
     */
    byte[] open(byte[] sealed) {
        try {
            return cipher(Cipher.DECRYPT_MODE, sealed).doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalStateException("a kept answer was changed in the database", e);
        }
    }

    private Cipher cipher(int mode, byte[] startsWithNonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(AES);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, startsWithNonce, 0, NONCE_BYTES));
        cipher.updateAAD(subject);
        return cipher;
    }
}
