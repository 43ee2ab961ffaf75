package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Schemas as kubeconform reads them, made of the API's own description in a release of Kubernetes. */
final class KubernetesSchemas {
    /** The kinds that the chart renders. */
    private static final Set<String> KINDS = Set.of(
            "Deployment",
            "StatefulSet",
            "Service",
            "ServiceAccount",
            "Secret",
            "Job",
            "NetworkPolicy",
            "PodDisruptionBudget");

    private KubernetesSchemas() {}

    /** The output of kubeconform for a file of objects, and a version as {@code v1.34.0}; skips the test without Go. */
    static String check(String version, Path objects) throws IOException, InterruptedException {
        return GoTool.run(
                GoTool.folder(),
                Map.of(),
                List.of(
                        GoTool.KUBECONFORM.path().toString(),
                        "-strict",
                        "-summary",
                        "-schema-location",
                        of(version) + "/{{ .ResourceKind }}{{ .KindSuffix }}.json",
                        objects.toString()));
    }

    private static Path of(String version) throws IOException, InterruptedException {
        Path schemas = GoTool.folder().resolve("schemas-" + version);
        if (!Files.exists(schemas.resolve("done"))) {
            GoTool.requireGo();
            String said = GoTool.run(
                    GoTool.folder(),
                    Map.of(),
                    List.of("go", "mod", "download", "-json", "k8s.io/kubernetes@" + version));
            assumeTrue(said.contains("\"Dir\""), "missing: k8s.io/kubernetes from Go's module proxy: " + said);
            String module = new ObjectMapper().readTree(said).path("Dir").asText();
            Files.createDirectories(schemas);
            write(Path.of(module, "api/openapi-spec/swagger.json"), schemas);
            Files.writeString(schemas.resolve("done"), "");
        }
        return schemas;
    }

    private static void write(Path description, Path schemas) throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode definitions =
                (ObjectNode) json.readTree(description.toFile()).path("definitions");
        for (JsonNode definition : definitions) {
            strict((ObjectNode) definition);
        }
        for (Map.Entry<String, JsonNode> definition : definitions.properties()) {
            for (JsonNode kind : definition.getValue().path("x-kubernetes-group-version-kind")) {
                if (KINDS.contains(kind.path("kind").asText())) {
                    ObjectNode schema = json.createObjectNode().put("$ref", "#/definitions/" + definition.getKey());
                    schema.set("definitions", definitions);
                    json.writeValue(schemas.resolve(name(kind)).toFile(), schema);
                }
            }
        }
    }

    private static String name(JsonNode kind) {
        String group = kind.path("group").asText();
        return (kind.path("kind").asText() + (group.isEmpty() ? "" : "-" + group.replaceFirst("\\..*", "")) + "-"
                        + kind.path("version").asText() + ".json")
                .toLowerCase(Locale.ROOT);
    }

    /** No fields but those that are described; numbers where they are as good as text. */
    private static void strict(ObjectNode definition) {
        if (definition.path("format").asText().equals("int-or-string")) {
            definition.removeAll();
            ArrayNode either = definition.putArray("oneOf");
            either.addObject().put("type", "string");
            either.addObject().put("type", "integer");
            return;
        }
        if (definition.has("properties")) {
            definition.put("additionalProperties", false);
        }
    }
}
