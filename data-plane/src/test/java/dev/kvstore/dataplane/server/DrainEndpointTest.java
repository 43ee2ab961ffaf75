package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The callers that may drain a data plane over HTTP. */
class DrainEndpointTest {
    private final Drain drain = new Drain(Duration.ofSeconds(5), Ticker.systemTicker());
    private final HttpClient client = HttpClient.newHttpClient();
    private final Vertx vertx = Vertx.vertx();

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Router router = Router.router(vertx);
        new DrainEndpoint(drain, new CallMeter(new SimpleMeterRegistry())).register(router);
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        var _ = vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private int ask(String method, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.actualPort() + "/drain"))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }

    @Test
    void aCommandOfThisMachineMay() throws Exception {
        assertThat(ask("PUT")).isEqualTo(200);
        assertThat(drain.isWanted()).isTrue();

        assertThat(ask("DELETE")).isEqualTo(200);
        assertThat(drain.isWanted()).isFalse();
    }

    @Test
    void aFormOfAnotherSiteMayNot() throws Exception {
        assertThat(ask("POST")).isEqualTo(405);

        assertThat(drain.isWanted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin", "Sec-Fetch-Site", "X-Forwarded-For", "Via"})
    void aPageOrAProxyMayNot(String header) throws Exception {
        assertThat(ask("PUT", header, "x")).isEqualTo(403);

        assertThat(drain.isWanted()).isFalse();
    }
}
