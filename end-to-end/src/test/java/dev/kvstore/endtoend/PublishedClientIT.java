package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The files that {@code kv publish} deploys, used by an application that has only the folder. */
@Tag("full")
class PublishedClientIT {
    private static final Path THIS = Path.of(System.getProperty("java.home"));
    private static final String PLATFORM = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch_64";
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>.*?</dependency>");

    private static PublishedClient published;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @BeforeAll
    static void publish() throws Exception {
        published = PublishedClient.shared();
    }

    @Test
    void anEmptyProjectOnJava17DoesTheMainJobBesideAnotherNettyGrpcAndProtobuf() throws Exception {
        Optional<Path> jdk = SdkOnJava17IT.jdk17();
        assumeThat(jdk).as("missing: a JDK 17 beside this one").isPresent();
        MavenProject project = project(jdk.orElseThrow());

        ProgramOutput said = run(project, project.jdk(), List.of(), "published/old");

        assertThat(said.out()).containsExactlyElementsOf(lines("platform"));
        assertThat(said.err()).isEmpty();
    }

    @Test
    void doesTheSameOnThisJavaWithVirtualThreadsAndOnlyTheJdksOwnWarnings() throws Exception {
        MavenProject project = project(THIS);

        ProgramOutput said = run(project, THIS, List.of(), "published/new");

        assertThat(said.out()).containsExactlyElementsOf(lines("virtual"));
        assertThat(said.err()).allMatch(line -> line.isEmpty() || line.startsWith("WARNING: "));
        List<String> flags = List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");
        assertThat(run(project, THIS, flags, "published/flags").err()).isEmpty();
    }

    private MavenProject project(Path jdk) throws IOException, InterruptedException {
        Path sources = Files.createDirectories(folder.resolve("project/src/main/java"));
        copy("java17/MainJob.java", sources.resolve("MainJob.java"));
        copy("published/Beside.java", sources.resolve("Beside.java"));
        copy("published/pom.xml", folder.resolve("project/pom.xml"));
        MavenProject project = new MavenProject(folder.resolve("project"), jdk, folder.resolve("empty"));
        project.build(published, "-Dplatform=linux-" + PLATFORM, "compile");
        return project;
    }

    private static void copy(String resource, Path file) throws IOException {
        try (InputStream in = Objects.requireNonNull(PublishedClientIT.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, file);
        }
    }

    private static ProgramOutput run(MavenProject project, Path java, List<String> flags, String partition)
            throws IOException, InterruptedException {
        KvUp up = KvUp.shared();
        return project.run(java, flags, "Beside", up.endpoints().getFirst(), up.apiKey(), partition);
    }

    private static List<String> lines(String threads) {
        return Stream.concat(
                        SdkOnJava17IT.lines(threads).stream(),
                        Stream.of(
                                "own service SERVING",
                                "loop true",
                                "own loop true",
                                "library true",
                                "own library true",
                                "BoringSSL true",
                                "netty-transport-4.1.100.Final.jar kvstore-client-",
                                "grpc-api-1.62.2.jar kvstore-client-",
                                "protobuf-java-3.25.1.jar kvstore-client-"))
                .toList();
    }

    @Test
    void everyClassAndEveryLibraryHasANameOfOurOwn() throws Exception {
        var entries = PublishedClient.entries(published.jar());

        assertThat(entries)
                .filteredOn(name -> name.endsWith(".class"))
                .hasSizeGreaterThan(5_000)
                .allMatch(name -> name.equals("module-info.class")
                        || name.replaceFirst("META-INF/versions/\\d+/", "").startsWith("dev/kvstore/"))
                .noneMatch(name -> name.endsWith("/module-info.class"));
        assertThat(entries)
                .filteredOn(name -> name.startsWith("META-INF/native/"))
                .hasSize(4)
                .allMatch(name -> name.startsWith("META-INF/native/libdev_kvstore_client_shaded_netty_"));
        assertThat(entries)
                .filteredOn(name -> !name.startsWith("dev/kvstore/") && !name.equals("module-info.class"))
                .allMatch(name -> name.startsWith("META-INF/"))
                .contains("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/licenses/LICENSE.protobuf.txt")
                .contains("META-INF/versions/21/dev/kvstore/client/internal/Threads.class");
    }

    @Test
    void deploysWhatMavenCentralAsksFor() throws Exception {
        assertThat(published.artifacts())
                .containsExactly(
                        "kvstore-bom.pom",
                        "kvstore-client-cyclonedx.json",
                        "kvstore-client-javadoc.jar",
                        "kvstore-client-sources.jar",
                        "kvstore-client.jar",
                        "kvstore-client.pom");
        for (String artifact : List.of("kvstore-client", "kvstore-bom")) {
            assertThat(published.pom(artifact))
                    .content()
                    .contains("<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm")
                    .doesNotContain("<parent>");
        }
    }

    @Test
    void javadocIsThatOfTheApiWithItsMeters() throws Exception {
        Set<String> pages = PublishedClient.entries(published.file("kvstore-client", "-javadoc\\.jar"));

        assertThat(pages)
                .contains(
                        "dev/kvstore/client/KvClient.html",
                        "dev/kvstore/client/micrometer/KvClientMeters.html",
                        "dev/kvstore/client/opentelemetry/KvClientMetrics.html",
                        "dev/kvstore/protocol/block/BlockChain.html")
                .noneMatch(name -> name.contains("/internal/"));
    }

    @Test
    void everyFileIsSignedAsItIsDeployed() throws Exception {
        assumeThat(SigningKey.canBe()).as("missing: gpg, of the package gnupg").isTrue();

        for (Path file : published.files()) {
            assertThat(SigningKey.verify(file)).as(file.toString()).contains("Good signature");
        }
    }

    @Test
    void needsSlf4jAndNothingElse() throws Exception {
        Matcher dependency = DEPENDENCY.matcher(Files.readString(published.pom("kvstore-client")));

        assertThat(dependency.results())
                .map(result -> result.group())
                .filteredOn(text -> !text.contains("<optional>true</optional>"))
                .singleElement()
                .asString()
                .contains("<artifactId>slf4j-api</artifactId>");
    }

    @Test
    void isTheSameByteForByteWhereverItIsBuilt() throws Exception {
        Path own = Home.current().path().resolve("client-jar/target/kvstore-client-" + MavenProject.version() + ".jar");

        assertThat(published.jar()).hasSameBinaryContentAs(own);
    }

    @Test
    void takesAnApiThatHasGrownAndRefusesOneThatBreaksItsUsers() throws Exception {
        edit("Prefix.java", "BlockHash lastHash) {}", "BlockHash lastHash) { public void more() {} }");
        assertThat(compared()).doesNotContain("exit code");

        edit("CallOptions.java", "public CallOptions withWriters(", "CallOptions withWriters(");
        assertThat(compared()).contains("withWriters(java.lang.String[]):METHOD_LESS_ACCESSIBLE", "exit code");
        edit("CallOptions.java", "CallOptions withWriters(", "public CallOptions withWriters(");

        // Compiled users go on working, and do not compile any more.
        edit("CallOptions.java", "withWriters(String... keyIds) {", "withWriters(String... keyIds) throws Exception {");
        assertThat(compared())
                .contains("withWriters(java.lang.String[]):METHOD_NOW_THROWS_CHECKED_EXCEPTION", "exit code");
    }

    private static void edit(String file, String from, String to) throws IOException {
        Path path = published.checkout().resolve("client-java/src/main/java/dev/kvstore/client/" + file);
        String text = Files.readString(path);
        assertThat(text).contains(from);
        Files.writeString(path, text.replace(from, to));
    }

    /** Maven's words on the copy, held against the published files. */
    private static String compared() throws IOException, InterruptedException {
        List<String> command = List.of(
                "mvn",
                "-B",
                "-q",
                "-pl",
                "client-jar",
                "-am",
                "-Dquick",
                "-Dmaven.test.skip",
                "-Dmaven.javadoc.skip",
                "-Dcyclonedx.skip",
                "-Dkvstore.compared=" + published.jar(),
                "verify");
        return GoTool.run(published.checkout(), Map.of("JAVA_HOME", THIS.toString()), command);
    }
}
