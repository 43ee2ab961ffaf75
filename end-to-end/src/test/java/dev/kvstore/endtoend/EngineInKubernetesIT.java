package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Deployment of {@code docs/engines/kubernetes.md}, held against Kubernetes, the chart and pip. */
class EngineInKubernetesIT {
    private static final Path MANIFEST = Home.current().path().resolve("deploy/engines/vllm.yaml");
    private static final Path CLIENTS = Home.current().path().resolve("client-python");

    /** The most bytes of a ConfigMap, of the validation of its API. */
    private static final int CONFIG_MAP_BYTES = 1 << 20;

    private static final String PLUGINS = "import importlib.metadata as m;"
            + " print([p.load() for p in m.entry_points(group='vllm.general_plugins')])";

    @TempDir
    Path folder;

    private JsonNode pod;

    @BeforeEach
    void read() throws IOException {
        pod = Chart.object(Files.readString(MANIFEST), "Deployment", "vllm").at("/spec/template/spec");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.33.0", "v1.34.0"})
    void theDeploymentIsOfASchemaOfKubernetes(String version) throws Exception {
        assertThat(KubernetesSchemas.check(version, MANIFEST))
                .contains("Valid: 1, Invalid: 0, Errors: 0, Skipped: 0")
                .doesNotContain("exit code");
    }

    @Test
    void theControlPlaneIsTheServiceThatTheChartMakes() throws Exception {
        String rendered = new Chart(GoTool.HELM.path(), folder).render(Chart.DEV);
        JsonNode service = Chart.object(rendered, "Service", "-control-plane");

        assertThat(variable("KV_CONTROL_PLANE"))
                .isEqualTo("%s.%s.svc.cluster.local:9090"
                        .formatted(
                                service.at("/metadata/name").asText(),
                                service.at("/metadata/namespace").asText("kv")));
        assertThat(service.at("/spec/ports").findValuesAsText("port")).contains("9090");
    }

    @Test
    void filesThatTheConnectorReadsAreInTheSecretThatThePageMakes() throws Exception {
        String page = Files.readString(Home.current().path().resolve("docs/engines/kubernetes.md"));
        String secret = pod.at("/volumes/0/secret/secretName").asText();
        String line = page.lines()
                .filter(command -> command.startsWith("kubectl create secret generic " + secret))
                .findFirst()
                .orElseThrow();

        for (String name : List.of("KV_API_KEY_FILE", "KV_CA_FILE")) {
            String file = variable(name);
            String mount = mounts(pod.at("/containers/0")).get("client") + "/";
            assertThat(file).startsWith(mount);
            assertThat(line).containsPattern("\\b" + file.substring(mount.length()) + "\\b");
        }
    }

    @Test
    void eachMountHasItsVolumeAndEachVolumeIsMounted() {
        Set<String> mounted = new TreeSet<>(mounts(pod.at("/containers/0")).keySet());
        mounted.addAll(mounts(pod.at("/initContainers/0")).keySet());
        List<String> volumes = new ArrayList<>();
        pod.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));

        assertThat(volumes).containsExactlyInAnyOrderElementsOf(mounted);
    }

    @Test
    void theInitContainerInstallsAPluginOfVllmFromAConfigMapOfWheels() throws Exception {
        assumeTrue(GoTool.isOnPath("python3"), "missing: python3, 3.10 or newer, which makes the wheels");
        Path wheels = Files.createDirectories(folder.resolve("wheels"));
        String clients = copyOfClients().toString();
        String build = "python3 -m pip wheel -q --no-deps --wheel-dir wheels \"$0/kvstore-client\" \"$0/kvstore-vllm\""
                + " && python3 -m pip download -q --dest wheels --only-binary=:all: hpack google-crc32c";
        String made = GoTool.run(folder, Map.of(), List.of("bash", "-c", build, clients));
        assumeTrue(!made.contains("exit code"), "missing: packages from a Python package index: " + made);

        assertThat(bytes(wheels)).isLessThan(CONFIG_MAP_BYTES);

        Path target = folder.resolve("connector");
        List<String> install = new ArrayList<>();
        pod.at("/initContainers/0/command")
                .forEach(word -> install.add(word.asText()
                        .replace("/wheels", wheels.toString())
                        .replace("/opt/kvstore", target.toString())));
        assertThat(GoTool.run(folder, Map.of(), install))
                .contains("Successfully installed")
                .doesNotContain("exit code");

        String plugins = GoTool.run(folder, Map.of("PYTHONPATH", target.toString()), List.of("python3", "-c", PLUGINS));
        assertThat(plugins).contains("function register").doesNotContain("exit code");
    }

    /** Copies the packages: a build leaves its folders beside what it builds. */
    private Path copyOfClients() throws IOException, InterruptedException {
        GoTool.run(
                folder,
                Map.of(),
                List.of(
                        "cp",
                        "-r",
                        CLIENTS.toString(),
                        folder.resolve("clients").toString()));
        return folder.resolve("clients");
    }

    private static long bytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private String variable(String name) {
        for (JsonNode variable : pod.at("/containers/0/env")) {
            if (variable.path("name").asText().equals(name)) {
                return variable.path("value").asText();
            }
        }
        throw new AssertionError(name + " is not set");
    }

    /** The paths of a container's volumes, by the volumes' names. */
    private static Map<String, String> mounts(JsonNode container) {
        Map<String, String> paths = new TreeMap<>();
        container
                .path("volumeMounts")
                .forEach(mount -> paths.put(
                        mount.path("name").asText(), mount.path("mountPath").asText()));
        return paths;
    }
}
