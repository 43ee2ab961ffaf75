package dev.kvstore.benchmark.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for this machine that nobody else has signed, and its key, made by the JDK's keytool.
 *
 * @param chain PEM
 * @param key PKCS#8 in PEM
 */
record Certificate(Path chain, Path key) {
    private static final String ALIAS = "peers";

    /** The password of a file that is deleted with its folder, and of a key that is good for nothing else. */
    private static final String PASSWORD = "peers-only";

    private static final String KEYTOOL = """
            %s/bin/keytool -genkeypair -alias peers -keyalg EC -groupname secp256r1 -dname CN=localhost
            -ext SAN=dns:localhost,ip:127.0.0.1 -validity 30 -storetype PKCS12 -storepass peers-only -keystore %s""";

    /** Makes it. From then on this process believes it, and no other, where it speaks HTTPS. */
    static Certificate make(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("certificate.p12");
        var _ = ProgramRun.of(Programs.command(KEYTOOL, System.getProperty("java.home"), store))
                .orThrow("keytool");
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            believe(keys);
            byte[] chain = keys.getCertificate(ALIAS).getEncoded();
            byte[] key = keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
            return new Certificate(
                    pem(folder.resolve("server.pem"), "CERTIFICATE", chain),
                    pem(folder.resolve("server.key"), "PRIVATE KEY", key));
        } catch (GeneralSecurityException e) {
            throw new IOException("keytool's certificate cannot be used: " + e.getMessage(), e);
        }
    }

    private static void believe(KeyStore keys) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, text));
    }
}
