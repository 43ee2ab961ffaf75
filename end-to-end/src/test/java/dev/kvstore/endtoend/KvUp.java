package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.stack.StackFolder;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A running {@code kv up}.
 *
 * @param folder holds its data and what it printed
 * @param json the file it wrote once it served
 * @param report what that file said
 */
record KvUp(Process process, Path folder, Path json, JsonNode report) implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(40);
    private static final Duration START = Duration.ofMinutes(3);

    private static final class SharedStack {
        private static final KvUp UP = startShared();

        private static KvUp startShared() {
            try {
                Path target = Home.current().path().resolve("end-to-end/target");
                KvUp up = start(
                        Files.createTempDirectory(target, "kv-up-"), StorageKind.FILESYSTEM, FastBeats.environment());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(up), "stop-kv-up"));
                return up;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Logs stay; what it stored is of no use to anybody. */
    private static void end(KvUp up) {
        up.close();
        for (String part : List.of("storage", "control-plane")) {
            try (Stream<Path> files = Files.walk(up.data().resolve(part))) {
                files.sorted(Comparator.reverseOrder()).forEach(KvUp::delete);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * One {@code kv up} over a folder, for all test classes of this JVM that do not stop it. It starts when first asked
     * for and ends with the JVM. A test registers and writes under names of its own.
     */
    static KvUp shared() {
        return SharedStack.UP;
    }

    /** Starts one whose files are in this folder, and waits until it serves. */
    static KvUp start(Path folder, StorageKind storage) throws IOException {
        return start(folder, storage, Map.of());
    }

    /** Starts one with further variables. */
    static KvUp start(Path folder, StorageKind storage, Map<String, String> environment) throws IOException {
        return start(folder, storage, environment, List.of());
    }

    /** Starts one with further flags. */
    static KvUp start(Path folder, StorageKind storage, Map<String, String> environment, List<String> flags)
            throws IOException {
        Path json = folder.resolve("up.json");
        Path err = folder.resolve("up.err");
        List<String> arguments = new ArrayList<>(List.of(
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
                "" + json));
        arguments.addAll(flags);
        Process process = Kv.start(folder, environment, arguments, folder.resolve("up.out"), err);
        try {
            await().atMost(START).until(() -> Files.exists(json) || !process.isAlive());
            assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
            return new KvUp(process, folder, json, new ObjectMapper().readTree(json.toFile()));
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

    /** The folder of this stack: keys, tokens, storage and logs. */
    Path data() {
        return folder.resolve("data");
    }

    /** The log of a data plane. */
    Path log(int dataPlane) {
        String port = endpoints().get(dataPlane).replaceFirst(".*:", "");
        return data().resolve("logs/data-plane-" + port + ".log");
    }

    /** A client that asks as the admin; to be closed. */
    AdminClient adminClient() {
        return new AdminClient(URI.create(restUrl()), adminToken());
    }

    /** {@code kv admin} of this stack, in this JVM. */
    Kv.KvResult admin(String... words) {
        return Admin.run(restUrl(), StackFolder.adminToken(data()), words);
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
