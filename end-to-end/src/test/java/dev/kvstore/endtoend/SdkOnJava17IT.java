package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kvstore.launcher.Home;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The SDK's jar on the oldest Java that it works on, and on this one, without a JVM flag. */
class SdkOnJava17IT {
    private static final Path THIS = Path.of(System.getProperty("java.home"));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void doesTheMainJobOnJava17() throws Exception {
        Optional<Path> jdk = jdk17();
        assumeThat(jdk).as("missing: a JDK 17 beside this one").isPresent();

        assertThat(run(jdk.orElseThrow(), "java17/old")).containsExactlyElementsOf(lines("platform"));
    }

    @Test
    void usesVirtualThreadsWhereThereAreSome() throws Exception {
        assertThat(run(THIS, "java17/new")).containsExactlyElementsOf(lines("virtual"));
    }

    static List<String> lines(String threads) {
        return List.of(
                "before 0", "after 5", "read 01234", "missing NOT_FOUND", "async 5", "published 1500000 on " + threads);
    }

    static Optional<Path> jdk17() throws IOException {
        Path beside = Objects.requireNonNull(THIS.getParent());
        try (Stream<Path> homes = Files.list(beside)) {
            return homes.filter(SdkOnJava17IT::is17).sorted().findFirst();
        }
    }

    private static boolean is17(Path home) {
        try {
            return Files.exists(home.resolve("bin/javac"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17");
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> run(Path jdk, String partition) throws Exception {
        KvUp up = KvUp.shared();
        Path source = folder.resolve("MainJob.java");
        try (var resource = Objects.requireNonNull(SdkOnJava17IT.class.getResourceAsStream("java17/MainJob.java"))) {
            Files.copy(resource, source);
        }
        ProgramOutput.of(
                folder,
                List.of(
                        jdk + "/bin/javac",
                        "-Xlint:all",
                        "-Werror",
                        "-cp",
                        classPath(),
                        "-d",
                        folder + "",
                        source + ""));
        List<String> command = List.of(
                jdk + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                folder + File.pathSeparator + classPath(),
                "MainJob",
                up.endpoints().getFirst(),
                up.apiKey(),
                partition);
        return ProgramOutput.of(folder, command).out();
    }

    /** The SDK's jars and libraries. Of the classes of this checkout, only these run on Java 17. */
    private static String classPath() throws IOException {
        Path home = Home.current().path();
        List<String> entries = new ArrayList<>();
        for (String module : List.of("client-java", "protocol")) {
            try (Stream<Path> files = Files.list(home.resolve(module).resolve("target"))) {
                entries.add(files.filter(file -> file.getFileName().toString().matches(module + "-[0-9].*\\.jar"))
                        .findFirst()
                        .orElseThrow()
                        .toString());
            }
        }
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).startsWith(home))
                .forEach(entries::add);
        return String.join(File.pathSeparator, entries);
    }
}
