package dev.kvstore.benchmark.memory;

import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.Metrics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A data plane over an accounts file. For one thread. */
final class MemoryServer implements AutoCloseable {
    private static final int HTTP_OFFSET = 1_000;
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);
    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_MEMORY_TIER_SIZE", "1G",
            "KVSTORE_TRANSFER_MEMORY", "256M",
            "KVSTORE_INBOUND_MEMORY", "128M",
            "KVSTORE_UNREAD_RESPONSE_MEMORY", "128M",
            "KVSTORE_DISK_TIER_SIZE", "0");

    private final int port;
    private final ManagedProcess process;

    private MemoryServer(int port, ManagedProcess process) {
        this.port = port;
        this.process = process;
    }

    static MemoryServer start(Home home, Path accounts, Path log, RandomGenerator random) throws InterruptedException {
        int port = Ports.free(random, 1, 0, HTTP_OFFSET);
        List<String> command = new ArrayList<>(
                Program.DATA_PLANE.command(Program.DATA_PLANE.jar(home), List.of("-Xmx1g", "-XX:+UseSerialGC")));
        command.addAll(List.of("--host", "127.0.0.1", "--port", Integer.toString(port)));
        command.addAll(List.of("--accounts", accounts.toString(), "--end-with-parent"));
        MemoryServer server = new MemoryServer(port, ManagedProcess.start("data-plane", command, SETTINGS, log));
        try {
            var _ = server.process.awaitReady(Readiness.http(server.http("/q/health/ready")), READY_WITHIN);
            return server;
        } catch (Throwable e) {
            server.close();
            throw e;
        }
    }

    private URI http(String path) {
        return URI.create("http://127.0.0.1:" + (port + HTTP_OFFSET) + path);
    }

    KvClient client(String resource, String key) {
        return KvClient.builder()
                .endpoints("127.0.0.1:" + port)
                .resource(resource)
                .apiKey(key)
                .deadline(Duration.ofHours(1))
                .build();
    }

    /** Bytes of heap in use after a collection. */
    long heapBytes() throws IOException, InterruptedException {
        for (int i = 0; i < 2; i++) {
            Process collection = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(process.pid()),
                            "GC.run")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (collection.waitFor() != 0) {
                throw new IOException("jcmd could not ask the data plane for a collection");
            }
        }
        return Metrics.scrape(http("/q/metrics")).samples().stream()
                .filter(sample -> sample.name().equals("jvm_memory_used_bytes")
                        && "heap".equals(sample.labels().get("area")))
                .mapToLong(sample -> (long) sample.value())
                .sum();
    }

    long offHeapBytes() {
        return (long) Metrics.scrape(http("/q/metrics")).sum("kvstore_memory_pool_used_bytes");
    }

    @Override
    public void close() {
        process.close();
    }
}
