package dev.kvstore.launcher.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A key vault and the metadata service that gives tokens for it: their documented answers. Not verified against Azure.
 * Thread-safe.
 */
final class VaultOfTests implements AutoCloseable {
    private static final String TOKEN = "a-token";

    private final HttpServer server;
    private final Map<String, String> secrets = new ConcurrentHashMap<>();
    private volatile int refusal;
    private volatile @Nullable String askedForToken;

    private VaultOfTests(HttpServer server) {
        this.server = server;
    }

    static VaultOfTests start() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        VaultOfTests vault = new VaultOfTests(http);
        http.createContext("/metadata/identity/oauth2/token", vault::token);
        http.createContext("/secrets/", vault::secret);
        http.start();
        return vault;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    void put(String secret, String value, String contentType) {
        secrets.put(
                secret,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("value", value)
                        .put("contentType", contentType)
                        .toString());
    }

    /** Has the vault answer with this status; 0 for good answers again. */
    void refuse(int status) {
        refusal = status;
    }

    /** The query of the last question for a token. */
    @Nullable
    String askedForToken() {
        return askedForToken;
    }

    private void token(HttpExchange call) throws IOException {
        askedForToken = call.getRequestURI().getQuery();
        boolean good = "true".equals(call.getRequestHeaders().getFirst("Metadata"));
        answer(call, good ? 200 : 400, "{\"access_token\": \"" + TOKEN + "\", \"token_type\": \"Bearer\"}");
    }

    private void secret(HttpExchange call) throws IOException {
        String name = call.getRequestURI().getPath().substring("/secrets/".length());
        String body = secrets.getOrDefault(name, "{}");
        if (!("Bearer " + TOKEN).equals(call.getRequestHeaders().getFirst("Authorization"))) {
            answer(call, 401, "{}");
        } else if (refusal != 0) {
            answer(call, refusal, body);
        } else {
            answer(call, secrets.containsKey(name) ? 200 : 404, body);
        }
    }

    private static void answer(HttpExchange call, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        try (call) {
            call.sendResponseHeaders(code, bytes.length);
            call.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
