package dev.kvstore.protocol.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of certificates or a key (RFC 7468). Immutable.
 *
 * @param option the option that names the file, such as {@code --tls-key}; every message begins with it
 */
public record PemFile(String option, Path path) {
    /** The most bytes of a file: more than all public authorities together take. */
    static final int MAX_BYTES = 4 << 20;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]++)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    // The algorithms that both TLS stacks take for the key of a certificate.
    private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA");

    /** Reads the present text of the file. */
    String text() throws BadPemException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw flaw("is longer than " + (MAX_BYTES >> 20) + " MiB, and so no file of certificates or keys");
            }
            return new String(content, ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw flaw("does not exist");
        } catch (AccessDeniedException e) {
            throw flaw("may not be read by this user");
        } catch (IOException e) {
            throw flaw("cannot be read: " + e.getMessage());
        }
    }

    /** All certificates in their order, at least one. */
    List<X509Certificate> certificates(String text) throws BadPemException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(text); block.find(); ) {
            if (block.group(1).equals("CERTIFICATE")) {
                certificates.add(certificate(block.group(2)));
            }
        }
        if (certificates.isEmpty()) {
            throw flaw("holds no certificate; give PEM, which begins with -----BEGIN CERTIFICATE-----");
        }
        return List.copyOf(certificates);
    }

    private X509Certificate certificate(String base64) throws BadPemException {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(decoded(base64)));
        } catch (GeneralSecurityException e) {
            throw flaw("holds a certificate that cannot be read; ask for it again where it was issued");
        }
    }

    /** The first private key. */
    PrivateKey privateKey(String text) throws BadPemException {
        for (Matcher block = BLOCK.matcher(text); block.find(); ) {
            switch (block.group(1)) {
                case "PRIVATE KEY" -> {
                    return decodedKey(decoded(block.group(2)));
                }
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted();
                case "RSA PRIVATE KEY" -> {
                    return decodedKey(OlderKey.rsa(decoded(plain(block.group(2)))));
                }
                case "EC PRIVATE KEY" -> {
                    return decodedKey(ec(block.group(2)));
                }
                default -> {} // parameters or certificates beside the key
            }
        }
        throw flaw("holds no private key; give PKCS#8 in PEM, which begins with -----BEGIN PRIVATE KEY-----");
    }

    /** The content of a key in a form before PKCS#8. In these forms, a header of its own marks an encrypted key. */
    private String plain(String content) throws BadPemException {
        if (content.contains("ENCRYPTED")) {
            throw encrypted();
        }
        return content;
    }

    private BadPemException encrypted() {
        return flaw("is encrypted, and nobody is there to type a password; decrypt it with"
                + " \"openssl pkcs8 -in FILE -out NEW\" and protect the file instead");
    }

    private byte[] ec(String content) throws BadPemException {
        byte[] key = decoded(plain(content));
        try {
            return OlderKey.ec(key);
        } catch (IndexOutOfBoundsException e) {
            throw flaw("holds an EC key that is damaged or names no curve; convert it with"
                    + " \"openssl pkcs8 -topk8 -nocrypt -in FILE -out NEW\"");
        }
    }

    private PrivateKey decodedKey(byte[] key) throws BadPemException {
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(key);
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException unused) {
                // The key is of another algorithm.
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
        throw flaw("holds a private key that is neither RSA nor EC, or is damaged");
    }

    private byte[] decoded(String base64) throws BadPemException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw flaw("is damaged: what stands between BEGIN and END is not base64");
        }
    }

    BadPemException flaw(String what) {
        return new BadPemException(option + ": " + path + " " + what);
    }
}
