package dev.kvstore.control.rest;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;

/**
 * Adds to the schemas of bodies the checks of the reader of bodies: it refuses unknown fields and control characters.
 * One thread uses it.
 */
final class Bodies {
    private static final String REFERENCE = "#/components/schemas/";

    /** The rule of {@link dev.kvstore.admin.name.PlainText}, as far as a pattern can say it. */
    private static final String PLAIN = "^[^\\x00-\\x1F\\x7F-\\x9F]*$";

    private final Map<String, Schema> schemas;
    private final Set<String> seen = new HashSet<>();

    private Bodies(OpenAPI document) {
        schemas = document.getComponents().getSchemas();
    }

    /** Makes the objects of all request bodies refuse other fields than theirs. */
    static void close(OpenAPI document) {
        Bodies bodies = new Bodies(document);
        document.getPaths().getPathItems().values().stream()
                .flatMap(item -> item.getOperations().values().stream())
                .filter(operation -> operation.getRequestBody() != null)
                .flatMap(operation -> operation.getRequestBody().getContent().getMediaTypes().values().stream())
                .map(MediaType::getSchema)
                .forEach(bodies::close);
    }

    private void close(Schema schema) {
        String reference = schema.getRef();
        if (reference != null) {
            String name = reference.substring(REFERENCE.length());
            if (seen.add(name)) {
                close(Objects.requireNonNull(schemas.get(name)));
            }
            return;
        }
        if (schema.getProperties() != null) {
            schema.additionalPropertiesSchema(OASFactory.createSchema().booleanSchema(false));
            schema.getProperties().values().forEach(this::close);
        }
        if (schema.getItems() != null) {
            close(schema.getItems());
        }
        boolean free = schema.getPattern() == null && schema.getFormat() == null && schema.getEnumeration() == null;
        if (free && List.of(Schema.SchemaType.STRING).equals(schema.getType())) {
            schema.pattern(PLAIN);
        }
    }

    /**
     * Anchors all patterns, since the validator of bodies matches whole texts; JSON Schema looks for a pattern anywhere
     * in a text.
     */
    static void anchor(OpenAPI document) {
        document.getComponents().getSchemas().values().forEach(Bodies::anchor);
    }

    private static void anchor(Schema schema) {
        String pattern = schema.getPattern();
        if (pattern != null && !pattern.startsWith("^")) {
            schema.pattern("^(?:" + pattern + ")$");
        }
        Stream.concat(
                        schema.getProperties() == null ? Stream.of() : schema.getProperties().values().stream(),
                        Stream.ofNullable(schema.getItems()))
                .forEach(Bodies::anchor);
    }
}
