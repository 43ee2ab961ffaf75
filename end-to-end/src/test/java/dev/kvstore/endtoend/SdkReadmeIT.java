package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.JvmOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The first example in the SDK's README, taken from there and run. */
class SdkReadmeIT {
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    // The addresses that kv up prints by default; here it uses free ports.
    private static final String ENDPOINTS = "\"127.0.0.1:8085\", \"127.0.0.1:8086\"";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void theFirstRunWritesThreeBlocksAndTheSecondReadsThem() throws Exception {
        Matcher readme = EXAMPLE.matcher(Files.readString(Home.current().path().resolve("client-java/README.md")));
        assertThat(readme.find()).isTrue();
        String example = readme.group(1);
        assertThat(example).contains(ENDPOINTS);
        KvUp up = KvUp.shared();
        Path source = folder.resolve("Example.java");
        String endpoints = "\"" + String.join("\", \"", up.endpoints()) + "\"";
        Files.writeString(source, example.replace(ENDPOINTS, endpoints));

        List<String> first = run(source, up.apiKey());
        List<String> second = run(source, up.apiKey());

        assertThat(first).hasSize(3).allMatch(line -> line.startsWith("STORED "));
        assertThat(second).hasSize(3).allMatch(line -> line.matches("read [0-9a-f]{64}, 1200000 bytes"));
    }

    private List<String> run(Path source, String apiKey) throws Exception {
        List<String> command = JvmOptions.java(List.of(
                "-XX:TieredStopAtLevel=1",
                "--class-path",
                System.getProperty("java.class.path"),
                source.toString(),
                apiKey));
        Path out = folder.resolve("example.out");
        Path err = folder.resolve("example.err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(err)).isZero();
        return Files.readAllLines(out);
    }
}
