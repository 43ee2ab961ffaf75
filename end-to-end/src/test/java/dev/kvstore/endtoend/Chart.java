package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
            dataPlane: {region: eu-1, cluster: eu-1-a, joinTokenSecret: kv-join, credentialsSecret: kv-storage, workloadIdentity: true}
            metrics: {dashboards: {enabled: true, annotations: {grafana_folder: KV Store}}}
            networkPolicy:
              clients: [{namespaceSelector: {}}]
              monitoring: [{namespaceSelector: {matchLabels: {name: monitoring}}}]
            """;

    Path production() throws IOException {
        return Files.writeString(folder.resolve("production.yaml"), PRODUCTION);
    }

    /** The chart as it was before its last change; a test is skipped where there is no history. */
    Path before() throws IOException, InterruptedException {
        String place = Home.current().path().relativize(PLACE).toString();
        String script = "cd \"$1\" && git diff --quiet HEAD -- \"$2\" && skip=1 || skip=0;"
                + " commit=$(git log --format=%H --skip=$skip -n 1 -- \"$2\") && test -n \"$commit\""
                + " && git archive \"$commit\" \"$2\" | tar -x -C \"$3\"";
        Path to = Files.createDirectories(folder.resolve("before"));
        String said = GoTool.run(
                folder,
                Map.of(),
                List.of("bash", "-c", script, "before", Home.current().path().toString(), place, to.toString()));
        assumeTrue(Files.exists(to.resolve(place)), "missing: the commit before, of a clone with its history: " + said);
        return to.resolve(place);
    }

    /** Helm's output, errors included. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(helm.toString()));
        command.addAll(List.of(arguments));
        return GoTool.run(
                folder, Map.of("HELM_CACHE_HOME", folder.resolve("cache").toString()), command);
    }

    /** The chart as a file of another version, as programs make it that deploy from Git. */
    Path packed(String version) throws IOException, InterruptedException {
        run("package", PLACE.toString(), "--version", version, "--destination", folder.toString());
        return folder.resolve("kvstore-" + version + ".tgz");
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
