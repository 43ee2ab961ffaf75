package dev.kvstore.dataplane.storage.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvstore.dataplane.storage.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * Against a server that speaks as a vault does: it asks for a token, then gives the secret. Requests for the vault's
 * name go there in clear, which the SDK would not do by itself.
 */
final class KeyVaultTest {
    private static final String VALUE = "sv=2024-11-04&sig=nobodys-business";
    private static final String OURS = "{\"kvstore-resource\":\"demo\"}";
    // The SDK remembers what vaults it has met.
    private static final AtomicInteger VAULTS = new AtomicInteger();

    private final String vault = "https://test" + VAULTS.incrementAndGet() + ".vault.azure.net";
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<String> scopes = Collections.synchronizedList(new ArrayList<>());
    private final HttpServer server;
    private final KeyVault vaults;
    private String resource = "https://vault.azure.net";
    private String tags = OURS;
    private int status = 200;

    KeyVaultTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TokenCredential identity = (TokenRequestContext context) -> {
            scopes.addAll(context.getScopes());
            return Mono.just(new AccessToken(
                    "token-of-the-platform", OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)));
        };
        vaults = new KeyVault(new Towards(server.getAddress().getPort()), identity);
    }

    @BeforeEach
    void start() {
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aSecretIsReadWithTheTokenThatTheVaultAsksFor() throws StorageException {
        assertThat(vaults.read(secret("/secrets/sas"), "demo")).isEqualTo(VALUE);

        assertThat(requests).containsExactly("GET /secrets/sas none", "GET /secrets/sas Bearer token-of-the-platform");
        assertThat(scopes).containsOnly("https://vault.azure.net/.default");
    }

    @Test
    void aVersionIsReadIfOneIsNamed() throws StorageException {
        assertThat(vaults.read(secret("/secrets/sas/0123456789abcdef"), "demo")).isEqualTo(VALUE);

        assertThat(requests.getLast()).isEqualTo("GET /secrets/sas/0123456789abcdef Bearer token-of-the-platform");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"kvstore-resource\":\"other\"}",
                "{\"kvstore-resource\":\"demo2\"}",
                "{\"kvstore-resource\":\"DEMO\"}",
                "{\"kvstore-resource\":\"\"}",
                "{\"resource\":\"demo\"}"
            })
    void aSecretThatDoesNotSayItIsForTheAccountIsNone(String others) {
        tags = others;

        assertNone(refusal());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404})
    void aSecretThatTheVaultDoesNotGiveIsToldInTheSameWords(int answered) {
        status = answered;

        assertNone(refusal());
    }

    @Test
    void aServerThatWantsATokenForSomethingElseGetsNone() {
        resource = "https://storage.azure.com";

        assertNone(refusal());
        assertThat(scopes).isEmpty();
    }

    @Test
    void aVaultThatIsAwayIsTriedAgainAndThenUnavailable() {
        status = 503;

        StorageException refusal = refusal();

        assertThat(refusal.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE);
        assertThat(refusal).hasMessageContaining("answered 503");
        assertThat(requests.stream().filter(request -> request.contains("Bearer")))
                .hasSize(3);
    }

    @Test
    void whatWasRefusedIsNotAskedForAgainAtOnce() {
        status = 404;
        var _ = refusal();
        int asked = requests.size();

        assertNone(refusal());

        assertThat(requests).hasSize(asked);
    }

    private void assertNone(StorageException refusal) {
        assertThat(refusal.kind()).isEqualTo(StorageException.Kind.FORBIDDEN);
        assertThat(refusal)
                .hasMessage("there is no secret " + vault + "/secrets/sas that this data plane may read and whose tag"
                        + " kvstore-resource is demo")
                .hasNoCause();
    }

    private StorageException refusal() {
        return Objects.requireNonNull(
                catchThrowableOfType(StorageException.class, () -> vaults.read(secret("/secrets/sas"), "demo")));
    }

    private URI secret(String path) {
        return URI.create(vault + path);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        String path = exchange.getRequestURI().getPath().replaceAll("/$", "");
        requests.add(exchange.getRequestMethod() + " " + path + " " + (authorization == null ? "none" : authorization));
        byte[] body = new byte[0];
        int code = status;
        if (authorization == null) {
            code = 401;
            exchange.getResponseHeaders()
                    .add(
                            "WWW-Authenticate",
                            "Bearer authorization=\"https://login.microsoftonline.com/tenant\", resource=\"" + resource
                                    + "\"");
        } else if (code == 200) {
            body = ("{\"value\":\"" + VALUE + "\",\"id\":\"" + vault + "/secrets/sas/1\",\"attributes\":"
                            + "{\"enabled\":true},\"tags\":" + tags + "}")
                    .getBytes(UTF_8);
        }
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Sends all requests to a port of this machine. */
    private record Towards(HttpClient http, int port) implements HttpClient {
        Towards(int port) {
            this(new JdkHttpClientBuilder().build(), port);
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            try {
                URI there =
                        URI.create("http://127.0.0.1:" + port + request.getUrl().getFile());
                return http.send(new HttpRequest(request.getHttpMethod(), there.toURL(), request.getHeaders()));
            } catch (MalformedURLException e) {
                return Mono.error(e);
            }
        }
    }
}
