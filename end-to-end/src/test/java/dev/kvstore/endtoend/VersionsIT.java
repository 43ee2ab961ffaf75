package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.settings.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One version in every file that has one, and the script of a release that sets it. */
class VersionsIT {
    private static final String SCRIPT = "testing/src/main/shell/set-version.sh";
    private static final String SNAPSHOT = "-SNAPSHOT";
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

    /** The first group is the version. */
    private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?<version>(.*?)</version>");

    private static final Pattern EXAMPLE = Pattern.compile("<kvstore.version>(.*)</kvstore.version>");
    private static final Pattern PACKAGE = Pattern.compile("__version__ = \"(.*)\"");

    /** The connector of the client's extra. */
    private static final Pattern CONNECTOR = Pattern.compile("\"kvstore-vllm==(.*?)\"");

    /** A connector uses parts of the client that are no API. */
    private static final Pattern CLIENT = Pattern.compile("\"kvstore-client==(.*?)\"");

    private static final Map<String, Pattern> PLACES = Map.ofEntries(
            Map.entry("pom.xml", Pattern.compile("(?m)^  <version>(.*)</version>$")),
            Map.entry("examples/console/pom.xml", EXAMPLE),
            Map.entry("examples/quarkus/pom.xml", EXAMPLE),
            Map.entry("examples/spring-boot/pom.xml", EXAMPLE),
            Map.entry("deploy/helm/kvstore/Chart.yaml", Pattern.compile("(?m)^appVersion: \"(.*)\"$")),
            Map.entry("client-python/kvstore-client/src/kvstore_client/_version.py", PACKAGE),
            Map.entry("client-python/kvstore-lmcache/src/kvstore_lmcache/_version.py", PACKAGE),
            Map.entry("client-python/kvstore-sglang/src/kvstore_sglang/_version.py", PACKAGE),
            Map.entry("client-python/kvstore-vllm/src/kvstore_vllm/_version.py", PACKAGE),
            Map.entry("client-python/kvstore-client/pyproject.toml", CONNECTOR),
            Map.entry("client-python/kvstore-lmcache/pyproject.toml", CLIENT),
            Map.entry("client-python/kvstore-sglang/pyproject.toml", CLIENT),
            Map.entry("client-python/kvstore-vllm/pyproject.toml", CLIENT),
            Map.entry("README.md", Pattern.compile("The version is ([0-9.]+(?:-SNAPSHOT)?);")),
            Map.entry(
                    "client-java/README.md",
                    Pattern.compile("(?s)<artifactId>kvstore-bom</artifactId>\\s*<version>(.*?)</version>")));

    @TempDir
    Path copy;

    @Test
    void everyFileHasTheVersionOfThisBuild() throws Exception {
        assertOneVersion(Documents.ROOT, Version.text());
    }

    @Test
    void theScriptOfAReleaseSetsEveryOne() throws Exception {
        for (String file : files(Documents.ROOT)) {
            copy(file);
        }
        copy(SCRIPT);
        Files.writeString(copy.resolve("CHANGELOG.md"), "# Changelog\n\n## [Unreleased]\n\n- A thing.\n");

        assertThat(set("7.8.9", "2031-02-03")).contains("The version is 7.8.9").doesNotContain("exit code");
        assertOneVersion(copy, "7.8.9");
        assertThat(copy.resolve("CHANGELOG.md")).hasContent("# Changelog\n\n## [7.8.9] - 2031-02-03\n\n- A thing.\n");

        assertThat(set("7.9.0-SNAPSHOT")).doesNotContain("exit code");
        assertOneVersion(copy, "7.9.0-SNAPSHOT");
        assertThat(copy.resolve("CHANGELOG.md"))
                .hasContent("# Changelog\n\n## [Unreleased]\n\n## [7.8.9] - 2031-02-03\n\n- A thing.\n");
    }

    @Test
    void theScriptRefusesAFileInWhichItFindsNoVersion() throws Exception {
        for (String file : files(Documents.ROOT)) {
            copy(file);
        }
        copy(SCRIPT);
        Files.writeString(copy.resolve("deploy/helm/kvstore/Chart.yaml"), "name: kvstore\n");

        assertThat(set("7.8.9")).contains("deploy/helm/kvstore/Chart.yaml: found no version to replace", "exit code 2");
    }

    private String set(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", copy.resolve(SCRIPT).toString()));
        command.addAll(List.of(arguments));
        return GoTool.run(copy, Map.of(), command);
    }

    private void copy(String file) throws IOException {
        Files.createDirectories(copy.resolve(file).getParent());
        Files.copy(Documents.ROOT.resolve(file), copy.resolve(file));
    }

    private static List<String> files(Path root) throws IOException {
        return Stream.concat(PLACES.keySet().stream(), modules(root).stream()).toList();
    }

    /** The poms of all modules. */
    private static List<String> modules(Path root) throws IOException {
        return MODULE.matcher(Files.readString(root.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1) + "/pom.xml")
                .toList();
    }

    private static void assertOneVersion(Path root, String version) throws IOException {
        for (Map.Entry<String, Pattern> place : PLACES.entrySet()) {
            assertThat(read(root, place.getKey(), place.getValue()))
                    .as(place.getKey())
                    .isEqualTo(version);
        }
        for (String module : modules(root)) {
            assertThat(read(root, module, PARENT)).as(module).isEqualTo(version);
        }
        // A chart's own version has no snapshots.
        assertThat(read(root, "deploy/helm/kvstore/Chart.yaml", Pattern.compile("(?m)^version: (.*)$")))
                .isEqualTo(version.replace(SNAPSHOT, ""));
    }

    private static String read(Path root, String file, Pattern pattern) throws IOException {
        Matcher found = pattern.matcher(Files.readString(root.resolve(file)));
        assertThat(found.find()).as(file + " has " + pattern).isTrue();
        // Python has other words for it.
        return found.group(1).replace(".dev0", SNAPSHOT);
    }
}
