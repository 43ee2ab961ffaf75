package dev.kvstore.control.rest;

import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.PageLimit;
import dev.kvstore.admin.waiting.WaitTime;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.math.BigDecimal;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/**
 * Adds to the OpenAPI document the facts that hold for every operation, and removes those that hold for one machine.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public final class Document implements OASFilter {
    /** A list of ETags (RFC 9110, 13.1.1). */
    private static final String ETAGS = "^\"[0-9]{1,19}\"( *, *\"[0-9]{1,19}\")*$";

    /** Visible ASCII. */
    private static final String IDEMPOTENCY_KEY = "^[!-~]{1,128}$";

    /** The {@code next} of a page. */
    private static final String CURSOR = "^[A-Za-z0-9_-]*$";

    @Override
    public void filterOpenAPI(OpenAPI document) {
        document.setServers(null);
        Bodies.close(document);
        Bodies.anchor(document);
        FieldRules.add(document);
        PatchBodies.complete(document);
        document.getComponents().addSchema(DocumentedProblems.SCHEMA, DocumentedProblems.schema());
        document.getPaths().getPathItems().values().stream()
                .flatMap(item -> item.getOperations().entrySet().stream())
                .forEach(operation -> complete(operation.getKey(), operation.getValue()));
    }

    private static void complete(PathItem.HttpMethod method, Operation operation) {
        if (method == PathItem.HttpMethod.POST) {
            operation.addParameter(idempotencyKey());
        }
        DocumentedProblems.add(method, operation);
        if (operation.getParameters() != null) {
            operation.getParameters().forEach(Document::describe);
        }
    }

    /** Sets the pattern of a parameter: code of this project reads headers and pages, so no annotation has it. */
    private static void describe(Parameter parameter) {
        Schema schema = parameter.getSchema();
        switch (parameter.getName()) {
            case "If-Match" ->
                parameter.schema(OASFactory.createSchema()
                        .anyOf(List.of(text().enumeration(List.of("*")), text().pattern(ETAGS))));
            case "If-None-Match" -> schema.enumeration(List.of("*"));
            case "wait" -> schema.pattern(WaitTime.SHAPE).setDescription("How long the call may wait, such as 30s");
            case "cursor" ->
                schema.pattern(CURSOR)
                        .maxLength(Cursor.MAX_LENGTH)
                        .setDescription("The next of the page before; without it, the first page");
            case "limit" ->
                schema.minimum(BigDecimal.ONE)
                        .maximum(BigDecimal.valueOf(PageLimit.MAX))
                        .defaultValue(PageLimit.DEFAULT);
            default -> {
                if (schema.getRef() != null) {
                    // The schema is that of a word, even if the generator takes the parameter for a text.
                    parameter.schema(OASFactory.createSchema().ref(schema.getRef()));
                } else if (parameter.getIn() == Parameter.In.QUERY
                        && schema.getPattern() == null
                        && List.of(Schema.SchemaType.STRING).equals(schema.getType())) {
                    schema.minLength(1);
                }
            }
        }
    }

    private static Parameter idempotencyKey() {
        return OASFactory.createParameter()
                .name("Idempotency-Key")
                .in(Parameter.In.HEADER)
                .description(
                        "The same request with the same key within 24 hours is answered as the first one, which alone changes something")
                .schema(text().pattern(IDEMPOTENCY_KEY));
    }

    private static Schema text() {
        return OASFactory.createSchema().type(List.of(Schema.SchemaType.STRING));
    }
}
