package dev.kvstore.control.rest;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document that is served, so that what is new there is tested without being named here. */
final class ApiDocument {
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch", "head", "options");
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");
    private static final String REFERENCE = "#/components/schemas/";

    /** The usual values of properties in a correct body, where their schema does not say. */
    private static final Map<String, String> USUAL = Map.ofEntries(
            Map.entry("endpoint", "https://example.blob.core.windows.net"),
            Map.entry("container", "blocks"),
            Map.entry("credential", "managed-identity"),
            Map.entry("address", "host:8085"),
            Map.entry("addresses", "host:8085"),
            Map.entry("expiresAt", "2999-01-01T00:00:00Z"),
            Map.entry("partition", "m/1"),
            Map.entry("prefix", "0".repeat(64)),
            Map.entry("block", "0".repeat(64)),
            Map.entry("secret", "s".repeat(43)),
            Map.entry("sha256", "0".repeat(64)),
            Map.entry("storedSince", "2020-01-01T00:00:00Z"));

    /**
     * One of its operations.
     *
     * @param path with the names of its parameters in braces
     * @param query names of its query parameters
     * @param body its schema; null if it has none
     */
    record ApiOperation(
            String method,
            String path,
            List<String> query,
            @Nullable JsonNode body) {
        List<String> parameters() {
            return PARAMETER
                    .matcher(path)
                    .results()
                    .map(result -> result.group(1))
                    .toList();
        }

        /** The path with these in place of its parameters, as they are. */
        String at(Map<String, String> names) {
            return PARAMETER
                    .matcher(path)
                    .replaceAll(
                            parameter -> Matcher.quoteReplacement(names.getOrDefault(parameter.group(1), "unnamed")));
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private final JsonNode document;

    private ApiDocument(JsonNode document) {
        this.document = document;
    }

    static ApiDocument served() {
        try {
            return new ApiDocument(new ObjectMapper()
                    .readTree(given().queryParam("format", "json")
                            .get("/q/openapi")
                            .asString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<ApiOperation> operations() {
        List<ApiOperation> operations = new ArrayList<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(entry -> METHODS.contains(entry.getKey()))
                        .forEach(entry -> operations.add(operation(path.getKey(), entry.getKey(), entry.getValue()))));
        return operations;
    }

    private ApiOperation operation(String path, String method, JsonNode operation) {
        List<String> query = StreamSupport.stream(operation.path("parameters").spliterator(), false)
                .filter(parameter -> parameter.path("in").asText().equals("query"))
                .map(parameter -> parameter.path("name").asText())
                .toList();
        JsonNode content = operation.path("requestBody").path("content");
        JsonNode schema = content.path(content.has(MERGE_PATCH) ? MERGE_PATCH : "application/json")
                .path("schema");
        return new ApiOperation(
                method.toUpperCase(Locale.ROOT), path, query, schema.isMissingNode() ? null : resolved(schema));
    }

    /** The schema that a schema refers to, or the schema itself. */
    JsonNode resolved(JsonNode schema) {
        String reference = schema.path("$ref").asText();
        return reference.startsWith(REFERENCE)
                ? document.path("components").path("schemas").path(reference.substring(REFERENCE.length()))
                : schema;
    }

    /**
     * A body that is as it should be, with all that it may have.
     *
     * @param names what properties hold that are called so
     */
    JsonNode example(JsonNode schema, Map<String, String> names) {
        Map<String, String> values = new HashMap<>(USUAL);
        values.putAll(names);
        return example("", schema, values);
    }

    private JsonNode example(String name, JsonNode referring, Map<String, String> values) {
        JsonNode schema = resolved(referring);
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (schema.has("anyOf")) {
            return example(name, schema.path("anyOf").get(0), values);
        }
        if (schema.has("enum")) {
            return schema.path("enum").get(0);
        }
        return switch (schema.path("type").asText()) {
            case "object" -> {
                ObjectNode body = json.objectNode();
                schema.path("properties")
                        .properties()
                        .forEach(property ->
                                body.set(property.getKey(), example(property.getKey(), property.getValue(), values)));
                yield body;
            }
            case "array" -> json.arrayNode().add(example(name, schema.path("items"), values));
            case "integer", "number" ->
                json.numberNode(Math.max(1, schema.path("minimum").asLong()));
            case "boolean" -> json.booleanNode(false);
            default -> json.textNode(values.getOrDefault(name, "a"));
        };
    }
}
