package dev.kvstore.control.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A body that is as it should be but for one place.
 *
 * @param place where, such as {@code replicas[0].endpoint}
 * @param wrong whether nobody can take it for right: what has another shape, or is not known
 */
record Altered(String place, JsonNode body, boolean wrong) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final List<JsonNode> SCALARS = Stream.<JsonNode>concat(
                    Stream.of(
                            JSON.nullNode(),
                            JSON.booleanNode(true),
                            JSON.numberNode(0),
                            JSON.numberNode(-1),
                            JSON.numberNode(1.5),
                            JSON.numberNode(new BigDecimal("1e99")),
                            JSON.numberNode(new BigDecimal("9223372036854775808"))),
                    Stream.of(
                                    "",
                                    "nosuch",
                                    "x".repeat(100_000),
                                    "Größe € 💩",
                                    "\u0000",
                                    "a\u0000b",
                                    "\ud800",
                                    "..",
                                    "a/b",
                                    "'; drop table tenant; --",
                                    "::::",
                                    "http://[::1",
                                    "https://",
                                    "https://x.blob.core.windows.net:99999999999",
                                    "https://x.blob.core.windows.net/?a=b#c",
                                    "https://user:pass@x.blob.core.windows.net",
                                    "https://%00.blob.core.windows.net",
                                    "https://\u20ac.blob.core.windows.net",
                                    "file:///a/../../etc",
                                    "file:///%00",
                                    "file:relative",
                                    "javascript:alert(1)",
                                    "host:0",
                                    "host:99999",
                                    "[::]:1",
                                    "yesterday",
                                    "2999-13-01T00:00:00Z",
                                    "0000-01-01T00:00:00Z",
                                    "-999999999-01-01T00:00:00Z",
                                    "+999999999-12-31T23:59:59Z")
                            .map(JSON::textNode))
            .toList();

    private static final List<JsonNode> SHAPES = List.of(
            JSON.arrayNode(),
            JSON.arrayNode().add(JSON.nullNode()),
            JSON.arrayNode().add(JSON.arrayNode()),
            JSON.objectNode(),
            JSON.objectNode().put("a", 1));

    /** All there are of a body. */
    static List<Altered> of(JsonNode good) {
        List<Altered> altered = new ArrayList<>();
        collect("", good, UnaryOperator.identity(), altered);
        return altered;
    }

    /**
     * @param whole makes the whole body of what is in place of this node
     */
    private static void collect(String place, JsonNode node, UnaryOperator<JsonNode> whole, List<Altered> altered) {
        SCALARS.forEach(value ->
                altered.add(new Altered(place, whole.apply(value), node.isContainerNode() && !value.isNull())));
        SHAPES.forEach(value -> altered.add(new Altered(place, whole.apply(value), !node.isContainerNode())));
        switch (node) {
            case ObjectNode object -> {
                altered.add(
                        new Altered(place + "+", whole.apply(object.deepCopy().put("unknown", 1)), true));
                for (Map.Entry<String, JsonNode> property : object.properties()) {
                    UnaryOperator<JsonNode> inPlace =
                            value -> whole.apply(object.deepCopy().set(property.getKey(), value));
                    collect(place + "." + property.getKey(), property.getValue(), inPlace, altered);
                    altered.add(new Altered(
                            place + "-" + property.getKey(),
                            whole.apply(object.deepCopy().without(property.getKey())),
                            false));
                }
            }
            case ArrayNode array -> {
                UnaryOperator<JsonNode> inPlace =
                        value -> whole.apply(JSON.arrayNode().add(value));
                collect(place + "[0]", array.get(0), inPlace, altered);
                ArrayNode many = JSON.arrayNode();
                for (int i = 0; i < 1_000; i++) {
                    many.add(array.get(0));
                }
                altered.add(new Altered(place + "[1000]", whole.apply(many), false));
            }
            default -> {}
        }
    }
}
