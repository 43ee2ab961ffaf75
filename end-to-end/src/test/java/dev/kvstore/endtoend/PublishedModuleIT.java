package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The jar that {@code kv publish} deploys, as a module that other modules require. */
@Tag("full")
class PublishedModuleIT {
    private static final String MODULE = "com.example.gateway";
    private static final Path THIS = Path.of(System.getProperty("java.home"));

    private static PublishedClient published;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @BeforeAll
    static void publish() {
        published = PublishedClient.shared();
    }

    @Test
    void exportsTheApiAndProvidesEachServiceOfItsLibraries() throws Exception {
        ModuleDescriptor module = ModuleFinder.of(published.jar())
                .find("dev.kvstore.client")
                .orElseThrow()
                .descriptor();

        assertThat(module.isAutomatic()).isFalse();
        assertThat(module.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "dev.kvstore.client",
                        "dev.kvstore.client.micrometer",
                        "dev.kvstore.client.opentelemetry",
                        "dev.kvstore.protocol.block");
        // A module's service files are not read.
        Map<String, Set<String>> provided = module.provides().stream()
                .collect(Collectors.toMap(
                        ModuleDescriptor.Provides::service,
                        provides -> provides.providers().stream().collect(Collectors.toSet())));
        assertThat(provided).isEqualTo(serviceFiles());
        assertThat(module.uses()).containsAll(provided.keySet());
    }

    /** The services of the jar, without the one that looks for threads that block, which no other code uses. */
    private static Map<String, Set<String>> serviceFiles() throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(published.jar());
                Stream<Path> files = Files.list(jar.getPath("META-INF/services"))) {
            return files.filter(file -> !file.endsWith("reactor.blockhound.integration.BlockHoundIntegration"))
                    .collect(Collectors.toMap(file -> file.getFileName().toString(), PublishedModuleIT::providers));
        }
    }

    private static Set<String> providers(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aModuleOnJava17DoesTheMainJob() throws Exception {
        MavenProject project = project();

        ProgramOutput said = run(project, project.jdk(), List.of(), "modular/old");

        assertThat(said.out()).containsExactlyElementsOf(lines("platform", "meters true"));
        assertThat(said.err()).isEmpty();
    }

    @Test
    void onThisJavaNativeCodeIsAllowedToThisModuleAlone() throws Exception {
        MavenProject project = project();

        List<String> flags =
                List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=dev.kvstore.client");
        ProgramOutput said = run(project, THIS, flags, "modular/new");

        assertThat(said.out()).containsExactlyElementsOf(lines("virtual", "meters true"));
        assertThat(said.err()).isEmpty();
    }

    @Test
    void anImageOfJlinkDoesTheMainJobWithoutMicrometer() throws Exception {
        MavenProject project = project();
        Path image = folder.resolve("image");
        String said = GoTool.run(
                folder,
                Map.of(),
                List.of(
                        project.jdk() + "/bin/jlink",
                        "--module-path",
                        project.classPath(),
                        "--add-modules",
                        MODULE + ",org.slf4j.simple",
                        "--output",
                        image.toString()));
        assertThat(said).as("what jlink said").doesNotContain("exit code");

        KvUp up = KvUp.shared();
        List<String> command =
                List.of(image + "/bin/java", "-m", main(), up.endpoints().getFirst(), up.apiKey(), "modular/image");
        assertThat(ProgramOutput.of(folder, command).out()).containsExactlyElementsOf(lines("platform"));
    }

    private MavenProject project() throws IOException, InterruptedException {
        Optional<Path> jdk = SdkOnJava17IT.jdk17();
        assumeThat(jdk).as("missing: a JDK 17 beside this one").isPresent();
        Path sources = Files.createDirectories(folder.resolve("project/src/main/java"));
        Path code = Files.createDirectories(sources.resolve("com/example/gateway"));
        Files.writeString(folder.resolve("project/pom.xml"), resource("modular/pom.xml"));
        Files.writeString(sources.resolve("module-info.java"), resource("modular/module-info.java"));
        Files.writeString(code.resolve("Gateway.java"), resource("modular/Gateway.java"));
        Files.writeString(
                code.resolve("MainJob.java"), "package " + MODULE + ";\n\n" + resource("java17/MainJob.java"));
        MavenProject project = new MavenProject(folder.resolve("project"), jdk.orElseThrow(), folder.resolve("empty"));
        project.build(published, "compile");
        return project;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(PublishedModuleIT.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Everything that Maven resolved is on the module path, and nothing is on the class path. */
    private static ProgramOutput run(MavenProject project, Path java, List<String> flags, String partition)
            throws IOException, InterruptedException {
        KvUp up = KvUp.shared();
        List<String> command = new ArrayList<>(List.of(
                java + "/bin/java", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        command.addAll(flags);
        command.addAll(List.of(
                "--module-path",
                project.classPath(),
                "--add-modules",
                "micrometer.core,org.slf4j.simple",
                "-m",
                main()));
        command.addAll(List.of(up.endpoints().getFirst(), up.apiKey(), partition));
        return ProgramOutput.of(project.folder(), command);
    }

    private static String main() {
        return MODULE + "/" + MODULE + ".Gateway";
    }

    private static List<String> lines(String threads, String... more) {
        List<String> lines = new ArrayList<>(List.of("module dev.kvstore.client, automatic false"));
        lines.addAll(SdkOnJava17IT.lines(threads));
        lines.add("grpc-java 5");
        lines.addAll(List.of(more));
        return lines;
    }
}
