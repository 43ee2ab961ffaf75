package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** An empty Gradle project on Java 17 that uses the SDK by its coordinates. Any Gradle from 4.4 on will do. */
@Tag("full")
class PublishedWithGradleIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void doesTheMainJob() throws Exception {
        assumeThat(GoTool.isOnPath("gradle")).as("missing: Gradle on the PATH").isTrue();
        Optional<Path> jdk = SdkOnJava17IT.jdk17();
        assumeThat(jdk).as("missing: a JDK 17 beside this one").isPresent();
        PublishedClient published = PublishedClient.shared();
        Files.createDirectories(folder.resolve("src/main/java"));
        copy("java17/MainJob.java", folder.resolve("src/main/java/MainJob.java"));
        copy("published/build.gradle", folder.resolve("build.gradle"));
        Files.writeString(folder.resolve("settings.gradle"), "rootProject.name = 'gateway'\n");

        String said = GoTool.run(
                folder,
                Map.of("JAVA_HOME", jdk.orElseThrow().toString()),
                List.of(
                        "gradle",
                        "--no-daemon",
                        "--gradle-user-home",
                        folder.resolve("empty").toString(),
                        "-PkvstoreRepository=" + published.repository(),
                        "-PkvstoreVersion=" + MavenProject.version(),
                        "installDist"));

        assertThat(said).as("the output of Gradle").contains("BUILD SUCCESSFUL");
        assertThat(run(jdk.orElseThrow())).containsExactlyElementsOf(SdkOnJava17IT.lines("platform"));
    }

    private static void copy(String resource, Path file) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(PublishedWithGradleIT.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, file);
        }
    }

    private List<String> run(Path jdk) throws IOException, InterruptedException {
        KvUp up = KvUp.shared();
        // Not by Gradle's start script, which adds lines of its own in some distributions.
        List<String> command = List.of(
                jdk + "/bin/java",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                folder.resolve("build/install/gateway/lib") + "/*",
                "MainJob",
                up.endpoints().getFirst(),
                up.apiKey(),
                "published/gradle");
        return ProgramOutput.of(folder, command).out();
    }
}
