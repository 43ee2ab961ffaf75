package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.settings.Version;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A project of somebody else's, built by Maven with nothing from this checkout but what was published.
 *
 * @param folder has its pom
 * @param jdk that runs Maven
 * @param downloads Maven's local repository: empty, or with what a test before has downloaded
 */
record MavenProject(Path folder, Path jdk, Path downloads) {
    /** Runs Maven's phases or goals; a test is skipped where Maven or its central repository is missing. */
    void build(PublishedClient published, String... words) throws IOException, InterruptedException {
        assumeTrue(GoTool.isOnPath("mvn"), "missing: Maven on the PATH");
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q", "-Dmaven.repo.local=" + downloads));
        command.add("-Dkvstore.repository=" + published.repository());
        command.add("-Dkvstore.version=" + version());
        command.addAll(List.of(words));
        String said = GoTool.run(folder, Map.of("JAVA_HOME", jdk.toString()), command);
        assumeTrue(!said.contains("from/to central"), "missing: Maven's central repository: " + said);
        assertThat(said).as("what Maven said").doesNotContain("exit code");
    }

    /** Of the published artifacts, as kv says it. */
    static String version() {
        return Version.text();
    }

    /** The class path that Maven has written to {@code target/classpath.txt}, with the project's own classes. */
    String classPath() throws IOException {
        return folder.resolve("target/classes")
                + File.pathSeparator
                + Files.readString(folder.resolve("target/classpath.txt")).strip();
    }

    /** Runs a main class of the project to its end. */
    ProgramOutput run(Path java, List<String> flags, String main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                java + "/bin/java", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(List.of(arguments));
        return ProgramOutput.of(folder, command);
    }
}
