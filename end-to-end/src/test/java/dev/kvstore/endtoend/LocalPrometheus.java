package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Prometheus of this machine, from the PATH. Thread-safe. */
record LocalPrometheus(Process process, URI url) implements AutoCloseable {
    /** @param configuration in its own format */
    static LocalPrometheus start(Path folder, String configuration) throws IOException {
        require();
        int port = FreePorts.one();
        Path file = Files.writeString(folder.resolve("prometheus.yaml"), configuration);
        Path said = folder.resolve("prometheus.err");
        Process process = new ProcessBuilder(List.of(
                        "prometheus",
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=127.0.0.1:" + port))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Readiness ready = Readiness.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        await().atMost(Patience.LIMIT).until(() -> ready.isReady() || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
        return new LocalPrometheus(process, URI.create("http://127.0.0.1:" + port));
    }

    static void require() {
        assumeTrue(GoTool.isOnPath("prometheus"), "missing: prometheus, of the package prometheus");
    }

    /** The series that a query gives now, as the API names them. */
    List<JsonNode> query(String query) throws IOException, InterruptedException {
        URI where = url.resolve("/api/v1/query?query=" + URLEncoder.encode(query, UTF_8));
        try (HttpClient client = HttpClient.newHttpClient()) {
            JsonNode answer = new ObjectMapper()
                    .readTree(client.send(HttpRequest.newBuilder(where).build(), BodyHandlers.ofString())
                            .body());
            assertThat(answer.path("status").asText()).as(query + ": " + answer).isEqualTo("success");
            return answer.path("data").path("result").valueStream().toList();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
