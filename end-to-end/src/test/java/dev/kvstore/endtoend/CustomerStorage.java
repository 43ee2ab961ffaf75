package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.azurite.Azurite;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A customer's storage account, and the identity by which data planes reach it: Azurite over TLS, and the endpoint for
 * tokens that a virtual machine or a container of Azure has, by its documented answers. Azurite checks who issued a
 * token, for whom and for how long, and not its signature. Thread-safe.
 */
final class CustomerStorage implements AutoCloseable {
    private static final String VERSION = "2021-12-02";
    private static final String PASSWORD = "changeit";
    private static final Duration VALIDITY = Duration.ofHours(1);

    private final Azurite azurite;
    private final HttpServer identity;
    private final HttpClient client;
    private final Path trust;

    private CustomerStorage(Azurite azurite, HttpServer identity, HttpClient client, Path trust) {
        this.azurite = azurite;
        this.identity = identity;
        this.client = client;
        this.trust = trust;
    }

    /** Starts both; certificates are made in the folder. */
    static CustomerStorage start(Path folder) throws Exception {
        TestAuthority authority = new TestAuthority(folder, "storage-authority");
        Issued own = authority.issue("storage");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(authority.certificate())) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        Path trust = folder.resolve("storage-trust.p12");
        try (OutputStream file = Files.newOutputStream(trust)) {
            store.store(file, PASSWORD.toCharArray());
        }
        HttpServer identity = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        identity.createContext("/token", CustomerStorage::token);
        Azurite azurite = Azurite.overTls(own.chain(), own.key());
        identity.start();
        HttpClient client = HttpClient.newBuilder().sslContext(trusting(store)).build();
        return new CustomerStorage(azurite, identity, client, trust);
    }

    private static SSLContext trusting(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static void token(HttpExchange call) throws IOException {
        byte[] body = """
                {"access_token": "%s", "expires_on": "%d", "resource": "https://storage.azure.com",
                 "token_type": "Bearer"}""".formatted(token(), Instant.now().plus(VALIDITY).getEpochSecond())
                .getBytes(UTF_8);
        call.getResponseHeaders().add("Content-Type", "application/json");
        call.sendResponseHeaders(200, body.length);
        try (call) {
            call.getResponseBody().write(body);
        }
    }

    private static String token() {
        long now = Instant.now().getEpochSecond();
        return part("{\"alg\": \"RS256\", \"typ\": \"JWT\"}") + "."
                + part("""
                {"aud": "https://storage.azure.com", "iss": "https://sts.windows.net/00000000-0000-0000-0000-000000000000/",
                 "iat": %d, "nbf": %d, "exp": %d, "sub": "data-plane", "ver": "1.0"}""".formatted(now - 60, now - 60, now + VALIDITY.toSeconds())) + "."
                + part("signature");
    }

    private static String part(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    /** The storage account's endpoint. */
    URI endpoint() {
        return azurite.endpoint();
    }

    /** Settings of data planes that have the identity. */
    Map<String, String> settings() {
        return Map.of(
                "IDENTITY_ENDPOINT",
                "http://127.0.0.1:" + identity.getAddress().getPort() + "/token",
                "IDENTITY_HEADER",
                "of-a-test");
    }

    /** Flags for the java of data planes that are to trust the storage account. */
    Map<Program, List<String>> jvm() {
        return Map.of(
                Program.DATA_PLANE,
                List.of("-Djavax.net.ssl.trustStore=" + trust, "-Djavax.net.ssl.trustStorePassword=" + PASSWORD));
    }

    /** Makes a container, as its owner does. */
    void makeContainer(String container) throws IOException, InterruptedException {
        put(container + "?restype=container", "");
    }

    /** Puts a blob into a container, as its owner does. */
    void putBlob(String container, String blob, String content) throws IOException, InterruptedException {
        put(container + "/" + blob, content);
    }

    private void put(String path, String content) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint() + "/" + path))
                .PUT(BodyPublishers.ofString(content))
                .header("x-ms-version", VERSION)
                .header("x-ms-blob-type", "BlockBlob")
                .header("Authorization", "Bearer " + token())
                .build();
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        if (status != 201) {
            throw new IOException("the storage account answered " + status + " to " + path);
        }
    }

    @Override
    public void close() {
        client.close();
        identity.stop(0);
        azurite.close();
    }
}
