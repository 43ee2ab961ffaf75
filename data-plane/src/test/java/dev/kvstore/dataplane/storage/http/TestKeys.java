package dev.kvstore.dataplane.storage.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** A certificate of {@code localhost} and {@code account.invalid} that the JDK's own tool made, and servers that show it. */
final class TestKeys {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final KeyStore keys;

    private TestKeys(KeyStore keys) {
        this.keys = keys;
    }

    static TestKeys make(Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,dns:account.invalid");
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return new TestKeys(keys);
    }

    /** A client that trusts the certificate needs these authorities. */
    KeyStore authorities() throws Exception {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        authorities.setCertificateEntry("server", keys.getCertificate("server"));
        return authorities;
    }

    /** Listens on a free port of localhost. */
    SSLServerSocket listen(String protocol) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        SSLServerSocket listener =
                (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
        listener.setEnabledProtocols(new String[] {protocol});
        return listener;
    }
}
