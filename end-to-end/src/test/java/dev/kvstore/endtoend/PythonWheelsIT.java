package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The wheels that {@code kv publish --python} makes, as a package index and a user get them. */
class PythonWheelsIT {
    private static final Path CHECKOUT = Home.current().path();
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern FILE_OF_A_LINK = Pattern.compile("/kvstore/blob/[^/]+/([^)#\\s]+)");
    private static final String PACKAGES = "kvstore_client, kvstore, kvstore_lmcache, kvstore_sglang, kvstore_vllm";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private static PythonTools tools;
    private static List<Path> wheels;

    @BeforeAll
    static void publish() throws Exception {
        tools = PythonTools.of("kvstore-client", folder);
        wheels = publish(CHECKOUT, "wheels");
    }

    /** Runs {@code kv publish --python} of a checkout; its wheels. */
    private static List<Path> publish(Path checkout, String name) throws IOException, InterruptedException {
        Path target = folder.resolve(name);
        Map<String, String> environment = Map.of("SOURCE_DATE_EPOCH", "1800000000");
        List<String> command = List.of(checkout.resolve("kv").toString(), "publish", "--python", target.toString());
        assertThat(GoTool.run(folder, environment, command)).contains("digests").doesNotContain("exit code");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.toString().endsWith(".whl"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    @Tag("full")
    void equalSourcesGiveEqualBytesWhateverTheModesOfTheirFiles() throws Exception {
        Path copy = folder.resolve("copy");
        String copies = "umask 077 && mkdir \"$1\" && cd \"$0\" && cp -r kv pom.xml client-python \"$1\""
                + " && mkdir -p \"$1/client-jar/src/main\" \"$1/testing/src/main\""
                + " && cp -r client-jar/src/main/shell \"$1/client-jar/src/main\""
                + " && cp -r testing/src/main/shell \"$1/testing/src/main\"";
        List<String> command = List.of("bash", "-c", copies, CHECKOUT.toString(), copy.toString());
        assertThat(GoTool.run(folder, Map.of(), command)).isEmpty();

        List<Path> again = publish(copy, "again");

        assertThat(wheels).hasSize(4);
        for (int i = 0; i < wheels.size(); i++) {
            assertThat(again.get(i)).hasSameBinaryContentAs(wheels.get(i));
        }
    }

    @Test
    void anIndexTakesThem() throws Exception {
        List<String> words = new ArrayList<>(List.of("check", "--strict"));
        wheels.forEach(wheel -> words.add(wheel.toString()));

        assertThat(tools.run(Map.of(), "twine", words.toArray(String[]::new))).doesNotContain("FAILED");
    }

    @Test
    void theirReadmesLinkToFilesOfTheProject() throws Exception {
        for (Path wheel : wheels) {
            String metadata = metadata(wheel);
            assertThat(matches(LINK, metadata))
                    .allSatisfy(link -> assertThat(link).matches("#.*|https?://.*"));
            assertThat(matches(FILE_OF_A_LINK, metadata))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(CHECKOUT.resolve(file)).exists());
        }
    }

    @Test
    void pipInstallsThemIntoAnEmptyEnvironment() throws Exception {
        String installs = "python3 -m venv user && user/bin/pip install -q --find-links wheels"
                + " 'kvstore-client[vllm,sglang,lmcache]'==$0 && user/bin/pip check"
                + " && user/bin/python -c 'import " + PACKAGES + "' && cd wheels && sha256sum -c SHA256SUMS";
        String version = wheels.getFirst().getFileName().toString().split("-", 3)[1];

        assertThat(GoTool.run(folder, Map.of(), List.of("bash", "-c", installs, version)))
                .contains("No broken requirements found.")
                .doesNotContain("exit code");
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static String metadata(Path wheel) throws IOException {
        try (FileSystem archive = FileSystems.newFileSystem(wheel);
                Stream<Path> files = Files.walk(archive.getPath("/"))) {
            Path file =
                    files.filter(path -> path.endsWith("METADATA")).findFirst().orElseThrow();
            return Files.readString(file);
        }
    }
}
