package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.rpc.Status;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.node.NodeProgram;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A client in another language, with nothing but the .proto and the protocol's README: {@code resources/node}. */
class NodeClientIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    @Test
    void doesTheMainJobFromTheProtoAlone() throws Exception {
        Path home = Home.current().path();
        NodeProgram program = new NodeProgram(
                home.resolve("end-to-end/src/test/resources/node"),
                List.of("main.cjs", "blocks.cjs", "stub.cjs"),
                home.resolve("end-to-end/target/node-client"));
        program.install();
        Path vectors = home.resolve("protocol/src/test/resources/block-hash-vectors.json");
        KvUp up = KvUp.shared();
        JsonNode summary = JSON.readTree(run(program.folder().resolve("main.cjs"), argument(up, vectors)));

        JsonNode published = JSON.readTree(vectors.toFile()).get("vectors");
        assertThat(summary).isEqualTo(JSON.readTree("""
                {"vectors": %d,
                 "cachedByTokens": 5,
                 "cachedByHashes": 5,
                 "restoredBytes": [512, 65537, 1200000, 262144, 1],
                 "restoredParts": [1, 2, 19, 4, 1],
                 "absentBlock": "NOT_FOUND",
                 "serverVersion": "%s",
                 "maxBlockBytes": 67108864,
                 "errors": {
                   "unknownKey": "UNAUTHENTICATED",
                   "noKey": "UNAUTHENTICATED",
                   "unknownResource": "PERMISSION_DENIED",
                   "absentBlock": "NOT_FOUND",
                   "badField": "INVALID_ARGUMENT",
                   "badFieldNames": ["block_tokens"]}}
                """.formatted(published.size(), Version.text())));
    }

    private static String argument(KvUp up, Path vectors) throws IOException {
        return JSON.writeValueAsString(Map.of(
                "includes",
                List.of(
                        Home.current().path().resolve("protocol/src/main/proto").toString(),
                        googleProtos().toString()),
                "vectors",
                vectors.toString(),
                "endpoint",
                up.endpoints().getFirst(),
                "apiKey",
                up.apiKey(),
                "resource",
                up.resourceName(),
                "partition",
                "node"));
    }

    /** The .proto files that ours imports, from the jar of their Java classes. */
    private static Path googleProtos() throws IOException {
        Path includes = folder.resolve("includes");
        for (String proto : List.of("google/rpc/status.proto", "google/rpc/error_details.proto")) {
            Path file = includes.resolve(proto);
            Files.createDirectories(file.getParent());
            try (InputStream content = Objects.requireNonNull(Status.class.getResourceAsStream("/" + proto), proto)) {
                Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return includes;
    }

    private static String run(Path script, String argument) throws IOException, InterruptedException {
        Path errors = folder.resolve("node-errors");
        Process node = NodeProgram.start(
                new ProcessBuilder("node", script.toString(), argument).redirectError(errors.toFile()));
        String summary = new String(node.getInputStream().readAllBytes(), UTF_8);
        assertThat(node.waitFor()).as(Files.readString(errors)).isZero();
        return summary;
    }
}
