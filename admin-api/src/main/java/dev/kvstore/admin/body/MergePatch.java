package dev.kvstore.admin.body;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.admin.problem.ProblemException;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of a PATCH, a JSON Merge Patch (RFC 7396): its fields are changed, a null resets a field to its first value,
 * and all other fields stay. A list is replaced as a whole. Immutable.
 */
public final class MergePatch {
    public static final String MEDIA_TYPE = "application/merge-patch+json";

    // The document of the API describes a patch by the PUT of its path.
    @Schema(hidden = true)
    private final ObjectNode patch;

    MergePatch(ObjectNode patch) {
        this.patch = patch;
    }

    /**
     * The body of a PUT that makes this change.
     *
     * @param view the resource, as callers see it; fields that a PUT does not have are left out
     * @param type the record of the PUT's body
     * @throws ProblemException if the patch has a field that the PUT does not have, or a field of another form
     */
    public <S> S over(JsonNode view, Class<S> type) {
        Fields fields = Fields.of(type);
        Flaws flaws = new Flaws();
        Object read = fields.read(merged(fields, settable(fields, view), patch), "", flaws);
        flaws.requireNone();
        return type.cast(Objects.requireNonNull(read));
    }

    /** The part of a value of a GET that a PUT may have; a list without items counts as none. */
    private static JsonNode settable(Shape shape, JsonNode value) {
        switch (shape) {
            case Fields object -> {
                ObjectNode part = JsonNodeFactory.instance.objectNode();
                object.fields().forEach((name, inner) -> {
                    JsonNode shown = value.path(name);
                    boolean none = shown.isMissingNode() || shown.isNull() || (shown.isArray() && shown.isEmpty());
                    if (!none) {
                        part.set(name, settable(inner, shown));
                    }
                });
                return part;
            }
            case Items list -> {
                ArrayNode items = JsonNodeFactory.instance.arrayNode();
                value.forEach(item -> items.add(settable(list.item(), item)));
                return items;
            }
            default -> {
                return value;
            }
        }
    }

    private static ObjectNode merged(Fields fields, JsonNode known, JsonNode patch) {
        ObjectNode merged =
                known instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            String name = change.getKey();
            Shape shape = fields.fields().get(name);
            if (change.getValue().isObject() && shape instanceof Fields inner) {
                merged.set(name, merged(inner, merged.path(name), change.getValue()));
            } else if (!change.getValue().isNull() || shape == null) {
                merged.set(name, change.getValue());
            } else if (fields.initial().containsKey(name)) {
                merged.set(name, fields.initial().get(name));
            } else {
                merged.remove(name);
            }
        }
        return merged;
    }
}
