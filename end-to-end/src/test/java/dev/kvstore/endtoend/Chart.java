package dev.kvstore.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Helm chart as helm renders it. */
record Chart(Path helm, Path folder) {
    static final Path PLACE = Home.current().path().resolve("deploy/helm/kvstore");
    static final Path DEV = PLACE.resolve("values-dev.yaml");

    /** As an operator would have it: nothing is made by Helm. */
    private static final String PRODUCTION = """
            images: {repository: registry.example.net/kvstore, tag: "1"}
            tls: {mode: secret, controlPlaneSecret: kv-control-tls, dataPlaneSecret: kv-data-tls}
            controlPlane:
              tokensSecret: kv-tokens
              workloadIdentity: true
              settings: {KVSTORE_OIDC_ENABLED: true, KVSTORE_OIDC_ISSUER: "https://login.example.net"}
              database: {url: "jdbc:postgresql://db.example.net/kvstore?sslmode=verify-full", secret: kv-db}
            dataPlane: {region: eu-1, cluster: eu-1-a, joinTokenSecret: kv-join, workloadIdentity: true}
            networkPolicy:
              clients: [{namespaceSelector: {}}]
              monitoring: [{namespaceSelector: {matchLabels: {name: monitoring}}}]
            """;

    Path production() throws IOException {
        return Files.writeString(folder.resolve("production.yaml"), PRODUCTION);
    }

    /** Helm's output, errors included. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(helm.toString()));
        command.addAll(List.of(arguments));
        return GoTool.run(
                folder, Map.of("HELM_CACHE_HOME", folder.resolve("cache").toString()), command);
    }

    /** The objects, or what is wrong with the values. */
    String render(Path values, String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "template", "kv", PLACE.toString(), "-f", values.toString(), "-n", "kv", "--kube-version", "1.34.0"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    /** The object of a kind and a name's end. */
    static JsonNode object(String rendered, String kind, String end) throws IOException {
        try (var objects =
                new ObjectMapper(new YAMLFactory()).readerFor(JsonNode.class).<JsonNode>readValues(rendered)) {
            while (objects.hasNext()) {
                JsonNode object = objects.next();
                if (object.path("kind").asText().equals(kind)
                        && object.at("/metadata/name").asText().endsWith(end)) {
                    return object;
                }
            }
        }
        throw new AssertionError("no " + kind + " " + end + " in:\n" + rendered);
    }
}
