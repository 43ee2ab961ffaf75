package dev.kvstore.launcher.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One request to a control plane.
 *
 * @param path the path's segments, not encoded
 * @param query by name
 * @param headers besides those of every request
 * @param body null for none
 */
public record RestRequest(
        String method,
        List<String> path,
        SortedMap<String, String> query,
        Map<String, String> headers,
        @Nullable JsonNode body) {
    private static final String PATCH = "PATCH";

    public RestRequest {
        path = List.copyOf(path);
        query = new TreeMap<>(query);
        headers = Map.copyOf(headers);
    }

    private static RestRequest of(String method, List<String> path, @Nullable JsonNode body) {
        return new RestRequest(method, path, new TreeMap<>(), Map.of(), body);
    }

    public static RestRequest get(List<String> path) {
        return of("GET", path, null);
    }

    /** A request with a JSON Merge Patch (RFC 7396). */
    public static RestRequest patch(List<String> path, JsonNode body) {
        return of(PATCH, path, body);
    }

    public static RestRequest put(List<String> path, JsonNode body) {
        return of("PUT", path, body);
    }

    /**
     * @param body null for none
     */
    public static RestRequest post(List<String> path, @Nullable JsonNode body) {
        return of("POST", path, body);
    }

    public static RestRequest delete(List<String> path) {
        return of("DELETE", path, null);
    }

    /** This request with one more parameter. */
    public RestRequest with(String name, String value) {
        TreeMap<String, String> more = new TreeMap<>(query);
        more.put(name, value);
        return new RestRequest(method, path, more, headers, body);
    }

    /** This request with these headers instead. */
    public RestRequest withHeaders(Map<String, String> others) {
        return new RestRequest(method, path, query, others, body);
    }

    /** The media type of the body. */
    String bodyType() {
        return method.equals(PATCH) ? "application/merge-patch+json" : "application/json";
    }

    /** The path and the query in a URL. */
    String target() {
        String encoded = path.stream().map(RestRequest::encode).collect(Collectors.joining("/", "/", ""));
        String parameters = query.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
        return parameters.isEmpty() ? encoded : encoded + "?" + parameters;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
