package dev.kvstore.control.rest;

import dev.kvstore.accounts.key.RotationSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** Rules of several fields of a body, which annotations of a field cannot state, for the OpenAPI document. */
final class FieldRules {
    private FieldRules() {}

    /** Adds the rules to the schemas of the document. */
    static void add(OpenAPI document) {
        Map<String, Schema> schemas = document.getComponents().getSchemas();
        // A purge selects a partition, a block of a partition, or a key.
        of(schemas, "PurgeSpec")
                .oneOf(List.of(having("partition"), having("key")))
                .dependentRequired(sorted("block", "blockTokens"));
        of(schemas, "Selection").dependentRequired(sorted("prefix", "blockTokens"));
        of(schemas, "ChosenKeySpec").not(having("secret", "sha256"));
        Objects.requireNonNull(of(schemas, "RotationSpec").getProperties().get("overlapSeconds"))
                .description("How long the old key stays good; a day if absent")
                .defaultValue(RotationSpec.DAY);
    }

    /** Fields that need a partition, sorted, so that each build writes the same document. */
    private static Map<String, List<String>> sorted(String... fields) {
        Map<String, List<String>> rules = new TreeMap<>();
        for (String field : fields) {
            rules.put(field, List.of("partition"));
        }
        return rules;
    }

    private static Schema of(Map<String, Schema> schemas, String name) {
        return Objects.requireNonNull(schemas.get(name), name);
    }

    private static Schema having(String... fields) {
        return OASFactory.createSchema().required(List.of(fields));
    }
}
