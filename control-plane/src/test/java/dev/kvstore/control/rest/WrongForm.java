package dev.kvstore.control.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A body in which one field has another form than its schema says: one that a lenient reader would convert, or drop.
 *
 * @param field its path, such as {@code replicas[0].endpoint}
 */
record WrongForm(String field, String body) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Half of a surrogate pair can be in JSON only as an escape. */
    private static final JsonMapper ESCAPING =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final List<JsonNode> TEXTS = texts("", " ", "0", "1", "true", "null", "nosuch", "1893456000", "{}");
    private static final List<JsonNode> NUMBERS = List.of(
            JSON.numberNode(0),
            JSON.numberNode(1),
            JSON.numberNode(3),
            JSON.numberNode(-1),
            JSON.numberNode(1_893_456_000L));
    private static final List<JsonNode> FRACTIONS = List.of(
            JSON.numberNode(0.9),
            JSON.numberNode(new BigDecimal("1e99")),
            JSON.numberNode(new BigDecimal("9223372036854775808")));
    private static final List<JsonNode> FLAGS = List.of(JSON.booleanNode(true), JSON.booleanNode(false));
    private static final List<JsonNode> ARRAYS = List.of(
            JSON.arrayNode(), JSON.arrayNode().add("a"), JSON.arrayNode().add(JSON.objectNode()));
    private static final List<JsonNode> OBJECTS =
            List.of(JSON.objectNode(), JSON.objectNode().put("value", 1));

    private static String text(JsonNode body) {
        try {
            return ESCAPING.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<JsonNode> texts(String... texts) {
        return Arrays.stream(texts).<JsonNode>map(JSON::textNode).toList();
    }

    /** All there are of the body of an operation, whose schema this is. */
    static List<WrongForm> of(ApiDocument document, JsonNode schema, Map<String, String> names) {
        List<WrongForm> wrong = new ArrayList<>();
        collect(document, "", schema, document.example(schema, names), UnaryOperator.identity(), wrong);
        return wrong;
    }

    /**
     * @param whole makes the whole body of what is in place of this field
     */
    private static void collect(
            ApiDocument document,
            String place,
            JsonNode referring,
            JsonNode good,
            UnaryOperator<JsonNode> whole,
            List<WrongForm> wrong) {
        JsonNode schema = document.resolved(referring);
        String field = place.isEmpty() ? "the body" : place;
        others(schema, good).forEach(value -> wrong.add(new WrongForm(field, text(whole.apply(value)))));
        switch (schema.path("type").asText()) {
            case "object" -> {
                ObjectNode object = (ObjectNode) good;
                String before = place.isEmpty() ? "" : place + ".";
                wrong.add(new WrongForm(
                        before + "nosuch", text(whole.apply(object.deepCopy().put("nosuch", 1)))));
                for (Map.Entry<String, JsonNode> property :
                        schema.path("properties").properties()) {
                    String name = property.getKey();
                    collect(
                            document,
                            before + name,
                            property.getValue(),
                            object.path(name),
                            value -> whole.apply(object.deepCopy().set(name, value)),
                            wrong);
                }
            }
            case "array" ->
                collect(
                        document,
                        place + "[0]",
                        schema.path("items"),
                        good.path(0),
                        value -> whole.apply(JSON.arrayNode().add(value)),
                        wrong);
            default -> {}
        }
    }

    /** Values of every form that a schema is not. */
    private static List<JsonNode> others(JsonNode schema, JsonNode good) {
        Stream<List<JsonNode>> forms = switch (schema.path("type").asText()) {
            case "object" -> Stream.of(TEXTS, NUMBERS, FRACTIONS, FLAGS, ARRAYS);
            case "array" -> Stream.of(TEXTS, NUMBERS, FRACTIONS, FLAGS, OBJECTS, List.of(good.path(0)));
            case "integer" -> Stream.of(TEXTS, FRACTIONS, FLAGS, ARRAYS, OBJECTS, texts(good.asText()));
            case "boolean" -> Stream.of(TEXTS, NUMBERS, FRACTIONS, ARRAYS, OBJECTS);
            case "string" -> Stream.of(strings(schema, good), NUMBERS, FRACTIONS, FLAGS, ARRAYS, OBJECTS);
            default -> throw new IllegalArgumentException("a body has no such schema: " + schema);
        };
        return Stream.concat(
                        forms.flatMap(List::stream),
                        Stream.<JsonNode>of(JSON.nullNode(), JSON.arrayNode().add(good)))
                .filter(value -> !schema.path("type").asText().equals("array") || !value.isArray())
                .distinct()
                .toList();
    }

    /** Texts that are none of what the schema means by a string. */
    private static List<JsonNode> strings(JsonNode schema, JsonNode good) {
        String text = good.asText();
        if (schema.has("enum")) {
            return Stream.concat(TEXTS.stream(), texts(text.toUpperCase(Locale.ROOT), " " + text, text + " ").stream())
                    .toList();
        }
        if (schema.path("format").asText().equals("date-time")) {
            return Stream.concat(TEXTS.stream(), texts(" " + text, "2999-01-01", "2999-13-01T00:00:00Z").stream())
                    .toList();
        }
        return texts("a\u0000b", "\u001b[31m", "\u009b31m", "a\ud800", "\udc00\ud800");
    }

    /** The same body with one of its fields twice, of each field. */
    static List<WrongForm> twice(JsonNode good) {
        List<WrongForm> wrong = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : good.properties()) {
            String again =
                    JSON.objectNode().set(field.getKey(), field.getValue()).toString();
            String text = good.toString();
            wrong.add(new WrongForm("the body", text.substring(0, text.length() - 1) + "," + again.substring(1)));
        }
        return wrong;
    }
}
