package dev.kvstore.control.rest;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** Rules of several fields of a body, which annotations of a field cannot state, for the OpenAPI document. */
final class FieldRules {
    private static final List<String> PARTITION = List.of("partition");

    private FieldRules() {}

    /** Adds the rules to the schemas of the document. */
    static void add(OpenAPI document) {
        Map<String, Schema> schemas = document.getComponents().getSchemas();
        // A purge selects a partition, a block of a partition, or a key.
        of(schemas, "PurgeSpec")
                .oneOf(List.of(having("partition"), having("key")))
                .dependentRequired(Map.of("block", PARTITION, "blockTokens", PARTITION));
        of(schemas, "Selection").dependentRequired(Map.of("prefix", PARTITION, "blockTokens", PARTITION));
        of(schemas, "ChosenKeySpec").not(having("secret", "sha256"));
    }

    private static Schema of(Map<String, Schema> schemas, String name) {
        return Objects.requireNonNull(schemas.get(name), name);
    }

    private static Schema having(String... fields) {
        return OASFactory.createSchema().required(List.of(fields));
    }
}
