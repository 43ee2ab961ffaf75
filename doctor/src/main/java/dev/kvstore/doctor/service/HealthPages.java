package dev.kvstore.doctor.service;

import dev.kvstore.launcher.rest.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Reads pages of a data plane's port for health and metrics. Closing it ends what is under way. */
record HealthPages(ServiceAddress address, Trust trust, HttpClient client) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    static HealthPages open(ServiceAddress address, Trust trust) {
        return new HealthPages(
                address,
                trust,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .proxy(HttpClient.Builder.NO_PROXY)
                        .connectTimeout(PATIENCE)
                        .sslContext(TrustedAuthorities.of(trust.authorities()))
                        .build());
    }

    String read(String path) throws IOException, InterruptedException {
        URI page = address.page(trust.isTls(address), path);
        return client.send(HttpRequest.newBuilder(page).timeout(PATIENCE).build(), BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
