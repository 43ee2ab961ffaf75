package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.Metrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv image}: what is built runs as a container would, is the same each time, and is pushed. */
@Tag("full")
@EnabledOnOs(value = OS.LINUX, disabledReason = "images are of Linux")
class ImageIT {
    private static final String KEY = "kv_0a1b2c3d_of-no-value";

    /** As a kubelet has a container see it: its root read-only, memory for /tmp, an own /proc, no user that anyone knows. */
    private static final String CONTAINER = """
            set -e; root="$1"; shift
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount -t tmpfs dev "$root/dev"
            for device in null zero random urandom; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
            mount -t tmpfs -o mode=1777 tmp "$root/tmp"
            mount -o remount,bind,ro "$root"
            exec chroot --userspec=54321:54321 "$root" "$@"
            """;

    @TempDir
    static Path folder;

    private static List<String> digests = List.of();

    @BeforeAll
    static void build() throws Exception {
        digests = build(folder.resolve("first"));
    }

    @Test
    void twoBuildsAreTheSame() throws Exception {
        // So that nothing is taken from where Jib keeps layers.
        try (Stream<Path> layers = Files.walk(Home.current().target().resolve("image/staged/layers"))) {
            for (Path path : layers.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }

        assertThat(build(folder.resolve("second"))).isEqualTo(digests).hasSize(3);
    }

    @Test
    void anImageSaysWhatItIsAndWhatIsInIt() throws Exception {
        JsonNode image = image("control-plane");

        assertThat(image.at("/config/User").asText()).isEqualTo("10001:10001");
        assertThat(image.at("/config/Labels/org.opencontainers.image.title").asText())
                .isEqualTo("KV Store: control plane");
        assertThat(image.at("/config/Labels/org.opencontainers.image.revision").asText())
                .isNotEmpty();
        JsonNode sbom = json(folder.resolve("first/control-plane-" + architecture() + ".cdx.json"));
        assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(StreamSupport.stream(sbom.path("components").spliterator(), false)
                        .map(component -> component.path("name").asText()))
                .contains("netty-handler", "jackson-core", "openjdk-jre");
    }

    @Test
    void aDataPlaneServesAsAnyUserOnAReadOnlyRootFromItsCache() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "missing: root, who may make namespaces");
        Path root = unpack("data-plane");
        Files.createDirectories(root.resolve("data"));
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(US_ASCII)));
        Files.writeString(root.resolve("data/accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}],
                  "accounts": [{"resourceName": "demo", "storage": {"type": "filesystem", "path": "/tmp/blocks"}}]}]}
                """.formatted(hash));
        int port = Ports.free(new Random(), 1, 0, 1_000);
        List<String> command = new ArrayList<>();
        image("data-plane").at("/config/Entrypoint").forEach(word -> command.add(word.asText()));
        command.addAll(List.of("--accounts=/data/accounts.json", "--host=::", "--http-host=::", "--plaintext"));
        command.add("--port=" + port);
        // Java ends at once where the cache does not fit.
        Map<String, String> environment = Map.of(
                "JAVA_TOOL_OPTIONS", "-Xmx640m -XX:AOTMode=on",
                "KVSTORE_MEMORY_TIER_SIZE", "64M",
                "KVSTORE_DATA_PLANE_PORT", "tcp://10.0.0.18:8085");
        Path log = folder.resolve("data-plane.log");
        Process process = contain(root, environment, command, log);
        try {
            URI ready = URI.create("http://127.0.0.1:" + (port + 1_000) + "/q/health/ready");
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> Readiness.http(ready).isReady() || !process.isAlive());
            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();

            Prompt prompt = Prompt.unique(2);
            try (KvClient client = KvClient.builder()
                    .endpoints("127.0.0.1:" + port)
                    .apiKey(KEY)
                    .resource("demo")
                    .build()) {
                client.write(prompt.partition(), prompt.block(0, Prompt.bytes(1_200_000, 1)));
                assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                        .isEqualTo(1);
            }
            Metrics metrics = Metrics.scrape(URI.create("http://127.0.0.1:" + (port + 1_000) + "/q/metrics"));
            assertThat(metrics.sumsBy("kvstore_info", "transport")).isEqualTo(Map.of("native", 1.0));
            assertThat(log).content().doesNotContain("\tat ", "cannot be written");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void adminRunsAsAnyUser() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "missing: root, who may make namespaces");
        List<String> command = new ArrayList<>();
        image("admin").at("/config/Entrypoint").forEach(word -> command.add(word.asText()));
        command.add("--help");
        Path log = folder.resolve("admin.log");

        Process process = contain(unpack("admin"), Map.of(), command, log);

        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        assertThat(log).content().contains("kv admin");
    }

    @Test
    void isPushedAsOneImageThatHasItsBillOfMaterials() throws Exception {
        Path registry = GoTool.REGISTRY.path();
        int port = Ports.free(new Random(), 1, 0);
        Process process = new ProcessBuilder(registry.toString(), "-port", "" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("registry.log").toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> Readiness.http(URI.create("http://127.0.0.1:" + port + "/v2/"))
                            .isReady());
            String repository = "127.0.0.1:" + port + "/kvstore";

            List<String> first = kvImage("--push", repository, "--insecure-registry", "--tag", "1");
            List<String> again = kvImage("--push", repository, "--insecure-registry", "--tag", "1");

            assertThat(again).isEqualTo(first).hasSize(3);
            HttpResponse<String> index = get(port, "/v2/kvstore/data-plane/manifests/1");
            assertThat(first)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(index.headers()
                                    .firstValue("Docker-Content-Digest")
                                    .orElse("no digest"))
                            .endsWith("/kvstore/data-plane:1"));
            JsonNode image = new ObjectMapper().readTree(index.body()).at("/manifests/0");
            assertThat(image.at("/platform/architecture").asText()).isEqualTo(architecture());
            assertThat(digests)
                    .anyMatch(line -> line.startsWith(image.path("digest").asText()));
        } finally {
            process.destroyForcibly();
        }
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private static List<String> build(Path to) throws Exception {
        return kvImage("--tar", to.toString()).stream()
                .map(line -> line.replaceFirst(" .*/", " "))
                .toList();
    }

    private static List<String> kvImage(String... flags) throws Exception {
        List<String> command = new ArrayList<>(List.of("image"));
        command.addAll(List.of(flags));
        Kv.Result result = Kv.run(folder, Map.of(), command, 900);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out().lines().toList();
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }

    /** The unpacked archive of an image. */
    private static Path layout(String kind) throws Exception {
        Path layout = folder.resolve(kind + ".oci");
        if (!Files.exists(layout)) {
            Files.createDirectories(layout);
            untar(folder.resolve("first/" + kind + "-" + architecture() + ".tar"), layout);
        }
        return layout;
    }

    private static JsonNode manifest(Path layout) throws IOException {
        return blob(layout, json(layout.resolve("index.json")).at("/manifests/0"));
    }

    /** What an image says of itself. */
    private static JsonNode image(String kind) throws Exception {
        Path layout = layout(kind);
        return blob(layout, manifest(layout).path("config"));
    }

    private static Path unpack(String kind) throws Exception {
        Path layout = layout(kind);
        Path root = folder.resolve(kind + ".root");
        for (String name : List.of("proc", "dev", "tmp")) {
            Files.createDirectories(root.resolve(name));
        }
        for (JsonNode layer : manifest(layout).path("layers")) {
            untar(file(layout, layer), root);
        }
        return root;
    }

    private static void untar(Path archive, Path to) throws Exception {
        String said = GoTool.run(
                to, Map.of(), List.of("tar", "--warning=no-unknown-keyword", "-xf", archive.toString(), "-C", "."));
        assertThat(said).isEmpty();
    }

    private static JsonNode blob(Path layout, JsonNode descriptor) throws IOException {
        return json(file(layout, descriptor));
    }

    private static Path file(Path layout, JsonNode descriptor) {
        return layout.resolve("blobs")
                .resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    private static JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    private static Process contain(Path root, Map<String, String> environment, List<String> command, Path log)
            throws IOException {
        List<String> whole = new ArrayList<>(
                List.of("unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", CONTAINER));
        whole.addAll(List.of("container", root.toString()));
        whole.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(whole).redirectErrorStream(true).redirectOutput(log.toFile());
        String path = System.getenv("PATH");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().putAll(environment);
        return builder.start();
    }
}
