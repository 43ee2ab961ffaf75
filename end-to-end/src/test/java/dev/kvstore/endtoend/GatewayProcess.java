package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A service of {@code examples} that runs. */
record GatewayProcess(Process process, String url, Path output) implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration START = Duration.ofMinutes(2);
    private static final int STOP_SECONDS = 60;

    /** Starts it, and waits until it answers. */
    static GatewayProcess start(MavenProject project, String jar, Map<String, String> environment) throws IOException {
        int port = FreePorts.one();
        Path output = project.folder().resolve("gateway-" + port + ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        project.jdk() + "/bin/java", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-jar", jar)
                .directory(project.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("PORT", Integer.toString(port));
        GatewayProcess gateway = new GatewayProcess(builder.start(), "http://127.0.0.1:" + port, output);
        try {
            await().atMost(START).until(() -> {
                assertThat(gateway.process.isAlive())
                        .as(Files.readString(output))
                        .isTrue();
                return gateway.answers();
            });
        } catch (RuntimeException | Error e) {
            gateway.close();
            throw e;
        }
        return gateway;
    }

    private boolean answers() throws InterruptedException {
        try {
            var _ = get("/");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String get(String path) throws IOException, InterruptedException {
        return HTTP.send(HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The answer to a prompt. */
    String post(String prompt) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/complete"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(prompt))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** Asks it to stop, which it does within a minute, without an error or a fallback in its log. */
    void stop() throws IOException, InterruptedException {
        process.destroy();
        assertThat(process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(output).content().doesNotContain("ERROR", "without the store");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
