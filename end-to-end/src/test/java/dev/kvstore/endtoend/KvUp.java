package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A running {@code kv up}.
 *
 * @param json the file it wrote once it served
 * @param report what that file said
 */
record KvUp(Process process, Path json, JsonNode report) implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(40);
    private static final Duration START = Duration.ofMinutes(3);

    /** Starts one whose files are in this folder, and waits until it serves. */
    static KvUp start(Path folder, StorageKind storage) throws IOException {
        Path json = folder.resolve("up.json");
        Path err = folder.resolve("up.err");
        List<String> arguments = List.of(
                "up",
                "--storage",
                storage.toString(),
                "--port",
                "0",
                "--rest-port",
                "0",
                "--control-port",
                "0",
                "--data",
                folder + "/data",
                "--json",
                "" + json);
        Process process = Kv.start(folder, Map.of(), arguments, folder.resolve("up.out"), err);
        try {
            await().atMost(START).until(() -> Files.exists(json) || !process.isAlive());
            assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
            return new KvUp(process, json, new ObjectMapper().readTree(json.toFile()));
        } catch (IOException | RuntimeException | Error e) {
            kill(process);
            throw e;
        }
    }

    List<String> endpoints() {
        return report.get("dataPlanes").valueStream().map(JsonNode::asText).toList();
    }

    String resourceName() {
        return report.get("resourceName").asText();
    }

    String apiKey() {
        return report.get("apiKey").asText();
    }

    String restUrl() {
        return report.get("restUrl").asText();
    }

    String controlPlane() {
        return report.path("controlPlane").asText();
    }

    String adminToken() {
        return report.get("adminToken").asText();
    }

    @Override
    public void close() {
        kill(process);
    }

    /** In good order first: a control plane that is killed leaves its PostgreSQL behind. */
    private static void kill(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            var _ = process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
