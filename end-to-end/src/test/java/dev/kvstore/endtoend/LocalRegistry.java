package dev.kvstore.endtoend;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** A registry of images on this machine, which forgets them in the end. */
record LocalRegistry(int port, Process process) implements AutoCloseable {
    static LocalRegistry start(Path folder) throws Exception {
        Path program = GoTool.build("registry", "v0.22.1-referrers", "-s -w");
        int port = FreePorts.row(1);
        Process process = new ProcessBuilder(program.toString(), "" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("registry-" + port + ".log").toFile())
                .start();
        await().atMost(Patience.LIMIT)
                .until(() -> Readiness.http(URI.create("http://127.0.0.1:" + port + "/v2/"))
                        .isReady());
        return new LocalRegistry(port, process);
    }

    /** For {@code kv image --push}. */
    String repository() {
        return "127.0.0.1:" + port + "/kvstore";
    }

    HttpResponse<String> get(String kind, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/v2/kvstore/" + kind + "/" + path))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    JsonNode json(String kind, String path) throws Exception {
        return new ObjectMapper().readTree(get(kind, path).body());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
