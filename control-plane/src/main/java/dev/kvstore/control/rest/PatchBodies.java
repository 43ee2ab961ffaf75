package dev.kvstore.control.rest;

import dev.kvstore.admin.body.MergePatch;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** Describes each PATCH by the PUT of the same path: the same fields, none of them required, and the same answer. */
final class PatchBodies {
    private static final String REFERENCE = "#/components/schemas/";
    private static final String OK = "200";

    private PatchBodies() {}

    static void complete(OpenAPI document) {
        document.getPaths().getPathItems().values().forEach(item -> complete(document, item));
        // No body refers to the schema of the Java type any more.
        document.getComponents().removeSchema(MergePatch.class.getSimpleName());
    }

    private static void complete(OpenAPI document, PathItem item) {
        Operation patch = item.getPATCH();
        if (patch == null) {
            return;
        }
        Operation put = Objects.requireNonNull(item.getPUT(), "a path with PATCH has PUT");
        String spec = put.getRequestBody()
                .getContent()
                .getMediaType(MediaType.APPLICATION_JSON)
                .getSchema()
                .getRef()
                .substring(REFERENCE.length());
        Map<String, Schema> schemas = document.getComponents().getSchemas();
        document.getComponents()
                .addSchema(
                        spec + "Patch",
                        schema(spec, Objects.requireNonNull(schemas.get(spec)).getProperties()));
        patch.setRequestBody(OASFactory.createRequestBody()
                .required(true)
                .content(OASFactory.createContent()
                        .addMediaType(
                                MergePatch.MEDIA_TYPE,
                                OASFactory.createMediaType()
                                        .schema(OASFactory.createSchema().ref(REFERENCE + spec + "Patch")))));
        patch.setResponses(OASFactory.createAPIResponses()
                .addAPIResponse(OK, put.getResponses().getAPIResponse(OK)));
    }

    private static Schema schema(String spec, Map<String, Schema> properties) {
        Schema schema = OASFactory.createSchema()
                .type(List.of(Schema.SchemaType.OBJECT))
                .description(
                        "A JSON Merge Patch (RFC 7396) of " + spec
                                + ": fields that it leaves out stay, null has one be as at first, a list is replaced as a whole")
                .additionalPropertiesSchema(OASFactory.createSchema().booleanSchema(false));
        properties.forEach((name, property) -> schema.addProperty(
                name,
                OASFactory.createSchema()
                        .anyOf(List.of(property, OASFactory.createSchema().type(List.of(Schema.SchemaType.NULL))))));
        return schema;
    }
}
