package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** "Register a tenant" of the README: its lines, taken from there and run in one shell beside a {@code kv up}. */
class ReadmeIT {
    private static final Pattern SNIPPET = Pattern.compile("```(bash|java)\n(.*?)```", Pattern.DOTALL);
    // The address at which kv up listens by default; here it uses free ports.
    private static final String REST = "http://127.0.0.1:8080";
    private static final String CONTROL_PLANE = "127.0.0.1:9090";
    private static final String CLASS_PATH = "benchmark/target/lib/*";
    private static final long PATIENCE_SECONDS = 120;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void aTenantIsRegisteredWithCurlAndItsClientWritesAndFindsABlock() throws Exception {
        String section = section(Files.readString(Home.current().path().resolve("README.md")));
        List<String> bash = snippets(section, "bash");
        List<String> java = snippets(section, "java");
        assertThat(bash).hasSize(2);
        assertThat(java).hasSize(1);
        KvUp up = KvUp.shared();
        Files.writeString(folder.resolve("Acme.java"), replaced(java.getFirst(), CONTROL_PLANE, up.controlPlane()));
        String script = "set -euo pipefail\n"
                + replaced(bash.get(0), REST, up.restUrl())
                + replaced(
                        bash.get(1),
                        CLASS_PATH,
                        Home.current().path().resolve(CLASS_PATH).toString());

        List<String> out = run(script, up.adminToken());

        assertThat(out).anyMatch(line -> line.contains("\"ready\":true"));
        assertThat(out).endsWith("STORED", "1 block is stored");
    }

    private static String section(String readme) {
        Matcher section = Pattern.compile("### Register a tenant\n(.*?)\n## ", Pattern.DOTALL)
                .matcher(readme);
        assertThat(section.find()).isTrue();
        return section.group(1);
    }

    private static List<String> snippets(String section, String language) {
        return SNIPPET.matcher(section)
                .results()
                .filter(snippet -> snippet.group(1).equals(language))
                .map(snippet -> snippet.group(2))
                .toList();
    }

    private static String replaced(String snippet, String said, String here) {
        assertThat(snippet).contains(said);
        return snippet.replace(said, here);
    }

    private List<String> run(String script, String adminToken) throws IOException, InterruptedException {
        Path out = folder.resolve("script.out");
        Path err = folder.resolve("script.err");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("KVSTORE_ADMIN_TOKEN", adminToken);
        // Not where whoever runs the tests has a cache.
        builder.environment().put("XDG_CACHE_HOME", folder.toString());
        builder.environment()
                .merge(
                        "PATH",
                        Path.of(System.getProperty("java.home"), "bin").toString(),
                        (path, jdk) -> jdk + ":" + path);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as(Files.readString(err))
                    .isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(out) + Files.readString(err))
                    .isZero();
            return Files.readAllLines(out);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
