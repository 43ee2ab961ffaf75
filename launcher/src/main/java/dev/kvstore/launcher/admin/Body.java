package dev.kvstore.launcher.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The body of a PUT or PATCH: the fields of a file, overridden by those of the command line. */
final class Body {
    static final String REPLICAS = "replicas";

    /**
     * A strict reader: others would silently drop a field that a file has twice, or text behind the end of the JSON.
     */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Body() {}

    /**
     * Sets fields.
     *
     * @param spec the fields, which this method changes
     * @param assignments the assignments, each {@code name=value}
     * @throws IllegalArgumentException if an assignment cannot be used
     */
    static ObjectNode of(ResourceKind kind, ObjectNode spec, List<String> assignments) {
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("\"" + assignment + "\": must be field=value");
            }
            Field field = field(kind, assignment.substring(0, equals));
            ObjectNode place = field.ofReplica() ? firstReplica(spec) : spec;
            set(place, field.name(), field.value(assignment.substring(equals + 1)));
        }
        return spec;
    }

    /**
     * The body of a PATCH; {@code replicas} has the fields of one replica.
     *
     * @param unset the names of fields that get their first values again
     * @throws IllegalArgumentException if an assignment or a name cannot be used
     */
    static ObjectNode patch(ResourceKind kind, List<String> assignments, List<String> unset) {
        ObjectNode patch = of(kind, JsonNodeFactory.instance.objectNode(), assignments);
        for (String name : unset) {
            if (kind.fields().stream()
                    .noneMatch(field -> !field.ofReplica() && field.name().startsWith(name + "."))) {
                Field field = field(kind, name);
                if (field.ofReplica()) {
                    throw new IllegalArgumentException("--unset: " + name + " is of a replica: give it a value");
                }
            }
            set(patch, name, JsonNodeFactory.instance.nullNode());
        }
        return patch;
    }

    /** @param name the name of a field, or that of an inner field after the outer one and a dot */
    private static void set(ObjectNode place, String name, JsonNode value) {
        int dot = name.indexOf('.');
        if (dot < 0) {
            place.set(name, value);
            return;
        }
        String outer = name.substring(0, dot);
        ObjectNode inner = place.get(outer) instanceof ObjectNode given ? given : place.putObject(outer);
        inner.set(name.substring(dot + 1), value);
    }

    /**
     * Reads a file with a JSON object.
     *
     * @throws IllegalArgumentException if the file has none
     */
    static ObjectNode read(Path file) {
        try {
            if (JSON.readTree(Files.readString(file, UTF_8)) instanceof ObjectNode object) {
                return object;
            }
            throw new IllegalArgumentException("--file: " + file + " must hold a JSON object");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("--file: " + file + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("--file: " + file + ": " + IoReason.of(e), e);
        }
    }

    private static Field field(ResourceKind kind, String name) {
        return kind.fields().stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + ": is no field of " + kind.plural()
                        + "; the fields are "
                        + kind.fields().stream().map(Field::name).collect(Collectors.joining(", "))));
    }

    private static ObjectNode firstReplica(ObjectNode spec) {
        JsonNode given = spec.get(REPLICAS);
        ArrayNode replicas = given instanceof ArrayNode array ? array : spec.putArray(REPLICAS);
        return replicas.get(0) instanceof ObjectNode first ? first : replicas.insertObject(0);
    }
}
