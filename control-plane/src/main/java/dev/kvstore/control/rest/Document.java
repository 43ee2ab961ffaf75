package dev.kvstore.control.rest;

import dev.kvstore.admin.problem.Problem;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** Adds to the OpenAPI document what holds for every operation, and takes out what holds for one machine. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public final class Document implements OASFilter {
    private static final String PROBLEM = "Problem";

    @Override
    public void filterOpenAPI(OpenAPI document) {
        document.setServers(null);
        document.getComponents().addSchema(PROBLEM, problem());
        document.getPaths().getPathItems().values().stream()
                .flatMap(item -> item.getOperations().values().stream())
                .forEach(Document::addProblem);
    }

    private static void addProblem(Operation operation) {
        operation
                .getResponses()
                .addAPIResponse(
                        "default",
                        OASFactory.createAPIResponse()
                                .description("Why it was not done")
                                .content(OASFactory.createContent()
                                        .addMediaType(
                                                Problem.MEDIA_TYPE,
                                                OASFactory.createMediaType()
                                                        .schema(OASFactory.createSchema()
                                                                .ref("#/components/schemas/" + PROBLEM)))));
    }

    /** RFC 9457, with the fields that are wrong. */
    private static Schema problem() {
        return object()
                .description("RFC 9457")
                .addProperty("type", text())
                .addProperty("title", text())
                .addProperty("status", OASFactory.createSchema().type(List.of(Schema.SchemaType.INTEGER)))
                .addProperty("detail", text())
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
