package dev.kvstore.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks over HTTPS what shows a certificate of one authority. */
record Https(HttpClient client) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    static Https trusting(Path authority) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return new Https(HttpClient.newBuilder().sslContext(context).build());
    }

    private HttpResponse<String> ask(String method, URI uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, BodyPublishers.noBody())
                .timeout(TIMEOUT)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** The status; 0 if nobody answers. */
    int status(String method, URI uri) throws InterruptedException {
        try {
            return ask(method, uri).statusCode();
        } catch (IOException nobody) {
            return 0;
        }
    }

    String text(URI uri) throws IOException, InterruptedException {
        return ask("GET", uri).body();
    }
}
