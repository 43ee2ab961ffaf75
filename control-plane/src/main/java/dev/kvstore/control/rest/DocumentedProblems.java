package dev.kvstore.control.rest;

import dev.kvstore.admin.problem.Problem;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** The problems with which operations answer, for the OpenAPI document. */
final class DocumentedProblems {
    /** The name of the schema of all problems. */
    static final String SCHEMA = "Problem";

    private static final List<String> PRECONDITIONS = List.of("If-Match", "If-None-Match");

    private DocumentedProblems() {}

    /** Adds the problems that callers can do something about, and all others as one. */
    static void add(PathItem.HttpMethod method, Operation operation) {
        List<Parameter> parameters = operation.getParameters() == null ? List.of() : operation.getParameters();
        add(
                operation,
                "400",
                "A field, a parameter or a header breaks a rule, also one that this document cannot state");
        add(operation, "401", "No valid credential");
        add(operation, "403", "The role does not allow that");
        if (parameters.stream().anyMatch(one -> one.getIn() == Parameter.In.PATH)) {
            add(operation, "404", "There is nothing of this name, or it is not the caller's");
        }
        if (method != PathItem.HttpMethod.GET) {
            add(operation, "409", "It conflicts with the present state, or a limit is reached");
        }
        if (parameters.stream().anyMatch(one -> PRECONDITIONS.contains(one.getName()))) {
            add(operation, "412", "A precondition does not hold: it was changed meanwhile, or is there already");
        }
        if (method == PathItem.HttpMethod.POST) {
            add(operation, "422", "The Idempotency-Key belongs to another request");
        }
        add(operation, "default", "Why it was not done");
    }

    private static void add(Operation operation, String status, String reason) {
        operation
                .getResponses()
                .addAPIResponse(
                        status,
                        OASFactory.createAPIResponse()
                                .description(reason)
                                .content(OASFactory.createContent()
                                        .addMediaType(
                                                Problem.MEDIA_TYPE,
                                                OASFactory.createMediaType()
                                                        .schema(OASFactory.createSchema()
                                                                .ref("#/components/schemas/" + SCHEMA)))));
    }

    /** RFC 9457, with the fields that are wrong. */
    static Schema schema() {
        return object().description("RFC 9457")
                .addProperty("type", text())
                .addProperty("title", text())
                .addProperty("status", OASFactory.createSchema().type(List.of(Schema.SchemaType.INTEGER)))
                .addProperty("detail", text())
                .addProperty(
                        "visible",
                        OASFactory.createSchema()
                                .type(List.of(Schema.SchemaType.BOOLEAN))
                                .description("Of 404: whether you would see it if it were there"))
                .addProperty(
                        "errors",
                        OASFactory.createSchema()
                                .type(List.of(Schema.SchemaType.ARRAY))
                                .items(object().addProperty("field", text()).addProperty("detail", text())));
    }

    private static Schema object() {
        return OASFactory.createSchema().type(List.of(Schema.SchemaType.OBJECT));
    }

    private static Schema text() {
        return OASFactory.createSchema().type(List.of(Schema.SchemaType.STRING));
    }
}
