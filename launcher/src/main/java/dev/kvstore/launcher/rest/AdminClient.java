package dev.kvstore.launcher.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A client of a control plane's REST API, for an admin. Thread-safe. */
public final class AdminClient implements AutoCloseable {
    /** The most items that a control plane puts on a page. */
    public static final int PAGE = 1_000;

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A list or a part of it.
     *
     * @param next the cursor of the next part; null after the last item
     */
    public record ListedItems(
            List<JsonNode> items, @Nullable String next) {
        public ListedItems {
            items = List.copyOf(items);
        }
    }

    private final String url;
    private final String token;
    private final HttpClient http;

    /**
     * Makes a client, without connecting.
     *
     * @param url of the control plane: scheme, host and port; a path only in front of {@code /v1}
     * @param token visible ASCII
     */
    public AdminClient(URI url, String token) {
        this(url, token, null);
    }

    /**
     * A client that trusts only the authorities of a file (PEM).
     *
     * @throws IllegalArgumentException if the file cannot be read, or has no authority
     */
    public static AdminClient trusting(URI url, String token, Path authorities) {
        return new AdminClient(url, token, TrustedAuthorities.of(authorities));
    }

    /** A client that trusts these authorities; null for Java's own. */
    public AdminClient(URI url, String token, @Nullable SSLContext trust) {
        this.url = url.toString().replaceFirst("/+$", "");
        this.token = token;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_WITHIN);
        if (trust != null) {
            builder.sslContext(trust);
        }
        this.http = builder.build();
    }

    /**
     * Sends a request, and waits for the answer of any status.
     *
     * @throws AdminException if no server answers, or if the server is no control plane
     */
    public RestResponse send(RestRequest restRequest) throws InterruptedException {
        try {
            HttpResponse<String> response = http.send(request(restRequest), BodyHandlers.ofString());
            return new RestResponse(
                    response.statusCode(),
                    body(response),
                    response.headers().firstValue("ETag").orElse(null));
        } catch (IOException e) {
            throw new AdminException(0, message(e));
        }
    }

    /**
     * Reads a list, page by page.
     *
     * @param limit the most items
     * @throws AdminException if the list, or a page of it, cannot be read
     */
    public ListedItems list(RestRequest restRequest, int limit) throws InterruptedException {
        List<JsonNode> items = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            RestRequest page = restRequest.with("limit", Integer.toString(Math.min(PAGE, limit - items.size())));
            RestResponse restResponse =
                    send(cursor == null ? page : page.with("cursor", cursor)).accepted();
            restResponse.body().path("items").forEach(items::add);
            String next = restResponse.body().path("next").asText(null);
            if (next != null && next.equals(cursor)) {
                throw new AdminException(0, url + " does not go on with its list: it gave the same cursor twice");
            }
            cursor = next;
        } while (cursor != null && items.size() < limit);
        return new ListedItems(items, cursor);
    }

    private HttpRequest request(RestRequest restRequest) throws JsonProcessingException {
        JsonNode body = restRequest.body();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + restRequest.target()))
                .timeout(ANSWER_WITHIN)
                .header("Accept", "application/json, application/problem+json")
                .header("Authorization", "Bearer " + token);
        restRequest.headers().forEach(request::header);
        if (body == null) {
            return request.method(restRequest.method(), BodyPublishers.noBody()).build();
        }
        return request.header("Content-Type", restRequest.bodyType())
                .method(restRequest.method(), BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
    }

    private JsonNode body(HttpResponse<String> response) {
        try {
            return response.body().isBlank() ? MissingNode.getInstance() : JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new AdminException(
                    response.statusCode(),
                    url + " answered with HTTP status " + response.statusCode()
                            + " and no JSON: that is no control plane's REST port");
        }
    }

    private String message(IOException e) {
        return switch (e) {
            case HttpConnectTimeoutException _ ->
                url + " does not answer: no connection within " + seconds(CONNECT_WITHIN);
            case HttpTimeoutException _ -> url + " did not answer within " + seconds(ANSWER_WITHIN);
            case ConnectException refused ->
                "nothing answers at " + url + " ("
                        + Objects.requireNonNullElse(refused.getMessage(), "connection refused")
                        + "): start a control plane with kv up, or name another with --url or KVSTORE_URL";
            case SSLException tls -> url + " cannot be trusted: " + tls.getMessage();
            default -> url + " could not be asked: " + Objects.requireNonNullElse(e.getMessage(), e.toString());
        };
    }

    private static String seconds(Duration time) {
        return time.toSeconds() + " s";
    }

    /** Ends requests that are still under way, and waits for none: a server may never answer one. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
