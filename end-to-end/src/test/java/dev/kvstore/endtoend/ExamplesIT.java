package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kvstore.launcher.Home;
import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The projects of {@code examples}, built on Java 17 from what {@code kv publish} deploys. */
@Tag("full")
class ExamplesIT {
    private static final Path EXAMPLES = Home.current().path().resolve("examples");
    private static final int LINES = 150;

    /** Built ones. */
    private static final Map<String, MavenProject> PROJECTS = new HashMap<>();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path shared;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void theConsoleRestoresWhatItHasSaved() throws Exception {
        MavenProject project = build("console");
        KvUp up = KvUp.shared();
        List<String> prompt = List.of("a console asks. ".repeat(3 * 128 / 16));

        assertThat(console(project, up, up.endpoints().getFirst(), prompt))
                .containsExactly(
                        "384 tokens: restored 0 blocks, computed 3",
                        "restored 0, saved 3, without the store 0, retries 0");
        assertThat(console(project, up, up.endpoints().getFirst(), prompt))
                .containsExactly(
                        "384 tokens: restored 3 blocks, computed 0",
                        "restored 3, saved 0, without the store 0, retries 0");
    }

    @Test
    void theConsoleAnswersWithoutTheStore() throws Exception {
        MavenProject project = build("console");

        List<String> said = console(project, KvUp.shared(), nobody(), List.of("x".repeat(256)));

        assertThat(said).first().isEqualTo("256 tokens: restored 0 blocks, computed 2");
        assertThat(said).last().asString().startsWith("restored 0, saved 0, without the store ");
    }

    private static String nobody() {
        return "127.0.0.1:" + FreePorts.one();
    }

    private List<String> console(MavenProject project, KvUp up, String endpoint, List<String> prompts)
            throws IOException, InterruptedException {
        Path in = Files.write(folder.resolve("in"), prompts);
        Path out = folder.resolve("out");
        String java = project.jdk() + "/bin/java";
        ProcessBuilder builder = new ProcessBuilder(
                        java, "-cp", project.classPath(), "com.example.gateway.Console", endpoint)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("KV_API_KEY", up.apiKey());
        Process process = builder.start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
        return Files.readAllLines(out);
    }

    @ParameterizedTest
    @CsvSource({
        "spring-boot, target/gateway.jar, /actuator/prometheus",
        "quarkus, target/quarkus-app/quarkus-run.jar, /q/metrics"
    })
    void aServiceRestoresCountsAndStops(String name, String jar, String metrics) throws Exception {
        MavenProject project = build(name);
        KvUp up = KvUp.shared();
        String prompt = (name + " asks ").repeat(100).substring(0, 3 * 128);

        try (GatewayProcess gateway = GatewayProcess.start(
                project, jar, Map.of("KV_ENDPOINTS", up.endpoints().getFirst(), "KV_API_KEY", up.apiKey()))) {
            assertThat(gateway.post(prompt)).isEqualTo("{\"tokens\":384,\"restored\":0,\"computed\":3}");
            assertThat(gateway.post(prompt)).isEqualTo("{\"tokens\":384,\"restored\":3,\"computed\":0}");
            assertThat(gateway.get(metrics))
                    .contains("gateway_blocks_restored_total 3.0", "gateway_blocks_saved_total 3.0");
            gateway.stop();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "spring-boot, target/gateway.jar, /actuator/prometheus",
        "quarkus, target/quarkus-app/quarkus-run.jar, /q/metrics"
    })
    void aServiceAnswersWithoutTheStore(String name, String jar, String metrics) throws Exception {
        MavenProject project = build(name);

        try (GatewayProcess gateway = GatewayProcess.start(
                project,
                jar,
                Map.of("KV_ENDPOINTS", nobody(), "KV_API_KEY", KvUp.shared().apiKey()))) {
            assertThat(gateway.post("x".repeat(256))).isEqualTo("{\"tokens\":256,\"restored\":0,\"computed\":2}");
            assertThat(gateway.get(metrics))
                    .contains("gateway_blocks_saved_total 0.0")
                    .containsPattern("gateway_fallbacks_total [1-9]");
        }
    }

    private static MavenProject build(String name) throws IOException, InterruptedException {
        Optional<Path> jdk = SdkOnJava17IT.jdk17();
        assumeThat(jdk).as("missing: a JDK 17 beside this one").isPresent();
        if (!PROJECTS.containsKey(name)) {
            Path folder = Files.createTempDirectory(shared, name).resolve(name);
            PublishedClient.copyTree(EXAMPLES.resolve(name), folder);
            Path downloads = Home.current().target().resolve("examples-downloads");
            MavenProject project = new MavenProject(folder, jdk.orElseThrow(), downloads);
            project.build(PublishedClient.shared(), name.equals("console") ? "compile" : "package");
            PROJECTS.put(name, project);
        }
        return Objects.requireNonNull(PROJECTS.get(name));
    }

    @ParameterizedTest
    @CsvSource({"console", "spring-boot", "quarkus"})
    void anExampleIsShort(String name) throws Exception {
        try (Stream<Path> files = Files.walk(EXAMPLES.resolve(name + "/src"))) {
            int lines = 0;
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                lines += Files.readAllLines(file).size();
            }
            assertThat(lines).isPositive().isLessThanOrEqualTo(LINES);
        }
    }
}
