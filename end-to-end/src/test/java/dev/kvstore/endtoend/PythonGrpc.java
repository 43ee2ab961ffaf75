package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * A client of gRPC's C core, which holds certificates against names in its own way: Python's, from PyPI, kept below
 * {@code target}.
 */
final class PythonGrpc {
    private static final String PACKAGE = "grpcio==1.85.1";

    private static final String SCRIPT = """
            import sys, grpc
            target, authority, key, method, request, response = sys.argv[1:]
            read = lambda name: open(name, "rb").read()
            options = [("grpc.max_receive_message_length", 65 << 20), ("grpc.max_send_message_length", 65 << 20)]
            with grpc.secure_channel(target, grpc.ssl_channel_credentials(read(authority)), options=options) as channel:
                call = channel.unary_unary("/kvstore.v1.KVStoreService/" + method)
                answer = call(read(request), metadata=[("authorization", "Bearer " + key)], timeout=60)
            open(response, "wb").write(answer)
            """;

    private PythonGrpc() {}

    private static Path library() throws IOException, InterruptedException {
        Path library = GoTool.folder().resolveSibling("python-grpc");
        Path lock = Files.createDirectories(library).resolve("lock");
        // Two classes at once: the second waits, and finds the work done.
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            return install(library);
        }
    }

    private static Path install(Path library) throws IOException, InterruptedException {
        if (!Files.exists(library.resolve("grpc"))) {
            assumeTrue(GoTool.isOnPath("pip"), "missing: pip, which installs " + PACKAGE);
            String said = GoTool.run(
                    library,
                    Map.of(),
                    List.of("pip", "install", "--only-binary=:all:", "--target=" + library, PACKAGE));
            assumeTrue(Files.exists(library.resolve("grpc")), "missing: " + PACKAGE + " from PyPI: " + said);
        }
        return library;
    }

    /** The answer to a unary call from a pod in another namespace. */
    static byte[] call(PodCluster cluster, Path folder, String target, String key, String method, byte[] request)
            throws IOException, InterruptedException {
        Path question = Files.write(folder.resolve("request.bin"), request);
        Path answer = folder.resolve("response.bin");
        Files.deleteIfExists(answer);
        List<String> command = List.of(
                "python3",
                "-c",
                SCRIPT,
                target,
                cluster.authority().toString(),
                key,
                method,
                question.toString(),
                answer.toString());
        String said = GoTool.run(folder, Map.of("PYTHONPATH", library().toString()), cluster.inClientPod(command));
        assertThat(answer).as(method + " at " + target + ": " + said).exists();
        return Files.readAllBytes(answer);
    }
}
