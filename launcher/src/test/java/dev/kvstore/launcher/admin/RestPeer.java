package dev.kvstore.launcher.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An HTTP server that answers as it is told, and remembers what it was asked. Thread-safe. */
public final class RestPeer implements AutoCloseable {
    /**
     * A request.
     *
     * @param call method and target, as in {@code GET /v1/tenants?limit=10}
     */
    public record PeerRequest(String call, String body, Map<String, List<String>> headers) {
        @Nullable
        String header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().getFirst())
                    .findFirst()
                    .orElse(null);
        }
    }

    private record PeerReply(int status, String body) {}

    private final HttpServer server;
    private final Map<String, PeerReply> replies = new ConcurrentHashMap<>();
    private final Map<String, Queue<PeerReply>> first = new ConcurrentHashMap<>();
    private final List<PeerRequest> requests = new CopyOnWriteArrayList<>();

    public RestPeer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    /** From now on answers a call so; what it was told nothing of gets a 404 problem. */
    public RestPeer answers(String call, int status, String body) {
        replies.put(call, new PeerReply(status, body));
        return this;
    }

    /** Answers a call so once, before what else it is told of that call. */
    public RestPeer answersOnce(String call, int status, String body) {
        first.computeIfAbsent(call, _ -> new ConcurrentLinkedQueue<>()).add(new PeerReply(status, body));
        return this;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            requests.add(new PeerRequest(call, body, Map.copyOf(exchange.getRequestHeaders())));
            Queue<PeerReply> once = first.getOrDefault(call, new ConcurrentLinkedQueue<>());
            PeerReply next = once.poll();
            PeerReply reply = next != null
                    ? next
                    : replies.getOrDefault(
                            call,
                            new PeerReply(404, "{\"title\":\"Not found\",\"detail\":\"there is no such thing\"}"));
            byte[] bytes = reply.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** In the order they came. */
    public List<PeerRequest> requests() {
        return List.copyOf(requests);
    }

    /** The same without bodies and headers. */
    public List<String> calls() {
        return requests.stream().map(PeerRequest::call).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
