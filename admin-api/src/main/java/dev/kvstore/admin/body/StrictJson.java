package dev.kvstore.admin.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.admin.problem.ProblemException;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Reads bodies: one JSON value in UTF-8 and nothing after it, without repeated fields, and each field by its {@link
 * Shape}. Thread-safe.
 */
final class StrictJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // A number is whole if its text is, so it must not be rounded first.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** The shapes by type: as many as there are types of bodies. */
    private final ConcurrentMap<Type, Shape> shapes = new ConcurrentHashMap<>();

    /**
     * Reads a body.
     *
     * @throws ProblemException if the body does not fit the type, with each wrong field
     * @throws IllegalArgumentException if no body can have the type
     */
    Object read(byte[] body, Type type) {
        if (type == MergePatch.class) {
            return patch(tree(body));
        }
        Shape shape = shapes.computeIfAbsent(type, Shape::of);
        Flaws flaws = new Flaws();
        Object read = shape.read(tree(body), "", flaws);
        flaws.requireNone();
        return Objects.requireNonNull(read);
    }

    private static MergePatch patch(JsonNode body) {
        if (body instanceof ObjectNode object) {
            return new MergePatch(object);
        }
        throw ProblemException.invalid("the body", "must be a JSON object, as in {...}");
    }

    private static JsonNode tree(byte[] body) {
        try {
            return tree(UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
        } catch (CharacterCodingException e) {
            throw ProblemException.invalid("the body", "must be UTF-8");
        }
    }

    /** The one JSON value of a text. */
    static JsonNode tree(String text) {
        try {
            return JSON.readTree(text);
        } catch (ArithmeticException | NumberFormatException e) {
            throw ProblemException.invalid("the body", "has a number whose exponent is too large");
        } catch (JsonProcessingException e) {
            throw ProblemException.invalid("the body", "must be one JSON object, with each field once: " + where(e));
        }
    }

    /** The position of an error, without text of the body, which may have a secret in a wrong place. */
    private static String where(JsonProcessingException e) {
        return e.getLocation() == null
                ? "it is not"
                : "line %d, column %d is wrong"
                        .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
    }
}
