package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kinds of resources are those of the document of the REST API. */
final class ResourceKindTest {
    private static final List<String> OF_EVERY_LIST = List.of("cursor", "limit");

    private static JsonNode document;

    @BeforeAll
    static void read() throws Exception {
        document = new ObjectMapper(new YAMLFactory())
                .readTree(Path.of("..", "docs/api/control-plane.yaml").toFile());
    }

    static Stream<ResourceKind> putKinds() {
        return ResourceKind.ALL.stream().filter(kind -> kind.methods().contains("PUT"));
    }

    static Stream<ResourceKind> listedKinds() {
        return ResourceKind.ALL.stream().filter(kind -> kind.list() != null);
    }

    @ParameterizedTest
    @MethodSource("putKinds")
    void theFieldsOfAKindAreThoseOfItsPut(ResourceKind kind) {
        JsonNode body = operation(Objects.requireNonNull(kind.item()), "put")
                .at("/requestBody/content/application~1json/schema");

        assertThat(kind.fields()).containsExactlyInAnyOrderElementsOf(fields("", body, false));
    }

    @ParameterizedTest
    @MethodSource("listedKinds")
    void theFiltersOfAKindAreThoseOfItsList(ResourceKind kind) {
        List<String> parameters = operation(Objects.requireNonNull(kind.list()), "get")
                .path("parameters")
                .valueStream()
                .filter(parameter -> parameter.path("in").asText().equals("query"))
                .map(parameter -> parameter.path("name").asText())
                .filter(name -> !OF_EVERY_LIST.contains(name))
                .toList();

        assertThat(kind.filters()).containsExactlyInAnyOrderElementsOf(parameters);
    }

    /** The operation of a path; the names of a path's parts are others in the document. */
    private static JsonNode operation(String path, String method) {
        return document.path("paths")
                .propertyStream()
                .filter(entry -> unnamed(entry.getKey()).equals("/" + unnamed(path)))
                .findFirst()
                .orElseThrow()
                .getValue()
                .path(method);
    }

    private static String unnamed(String path) {
        return path.replaceAll("\\{\\w+}", "{}");
    }

    private static List<Field> fields(String prefix, JsonNode schema, boolean ofReplica) {
        return resolved(schema)
                .path("properties")
                .propertyStream()
                .flatMap(entry -> field(prefix + entry.getKey(), resolved(entry.getValue()), ofReplica))
                .toList();
    }

    private static Stream<Field> field(String name, JsonNode schema, boolean ofReplica) {
        return switch (schema.path("type").asText()) {
            case "string" -> Stream.of(new Field(name, Field.FieldType.TEXT, ofReplica));
            case "integer" -> Stream.of(new Field(name, Field.FieldType.NUMBER, ofReplica));
            case "boolean" -> Stream.of(new Field(name, Field.FieldType.FLAG, ofReplica));
            case "object" -> fields(name + ".", schema, ofReplica).stream();
            case "array" ->
                name.equals("replicas")
                        ? fields("", schema.path("items"), true).stream()
                        : Stream.of(new Field(name, Field.FieldType.WORDS, ofReplica));
            default -> throw new IllegalStateException(name + " has a type that kv admin does not know: " + schema);
        };
    }

    private static JsonNode resolved(JsonNode schema) {
        JsonNode reference = schema.path("$ref");
        return reference.isMissingNode()
                ? schema
                : document.at(reference.asText().substring(1));
    }
}
