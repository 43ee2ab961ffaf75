package dev.kvstore.dataplane.storage.azure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.sun.management.OperatingSystemMXBean;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures the HTTP clients that Azure's SDK can use below {@link AzureStore}: 16 callers against a blocking server in a
 * process of its own, in interleaved rounds, and prints the median of each client.
 */
@Tag("full")
final class HttpClientFiguresTest {
    private static final StorageCredential CREDENTIAL =
            new StorageCredential.ConnectionString("DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5");
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;
    private static final int CALLERS = 16;
    private static final int CONNECTIONS = 100;
    private static final double GIGABYTE = 1e9;

    private final MemoryPool memory = new MemoryPool(1L << 30, Duration.ofSeconds(10));

    private enum Client {
        OURS,
        AZURE_NETTY,
        JDK;

        AzureStores stores() {
            Outbound outbound = Outbound.DEFAULT.over(this == OURS ? Transport.NETTY : Transport.JDK);
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            return this == AZURE_NETTY
                    ? new AzureStores(
                            Transport.JDK,
                            new NettyAsyncHttpClientBuilder()
                                    .disableBufferCopy(true)
                                    .build(),
                            meters,
                            List.of())
                    : new AzureStores(outbound, meters);
        }
    }

    private record Kind(boolean puts, int bytes) {
        @Override
        public String toString() {
            return (puts ? "PUT " : "GET ") + bytes;
        }
    }

    private record Figure(double gigabytesPerSecond, double cpuSecondsPerGigabyte) {}

    @Test
    void eachClientMovesTheSameBlobs() throws Exception {
        List<Kind> kinds = List.of(
                new Kind(false, 1_200_000), new Kind(true, 1_200_000), new Kind(false, 8_192), new Kind(true, 8_192));
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BlobServer.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            byte[] port = server.getInputStream().readNBytes(5);
            URI endpoint = URI.create("http://127.0.0.1:" + new String(port, ISO_8859_1) + "/a");
            Map<String, List<Figure>> figures = new TreeMap<>();
            for (int round = 0; round <= ROUNDS; round++) {
                for (Kind kind : kinds) {
                    for (Client client : Client.values()) {
                        Figure figure = measure(client, kind, endpoint);
                        // The first round warms up.
                        if (round > 0) {
                            figures.computeIfAbsent(kind + " " + client, _ -> new ArrayList<>())
                                    .add(figure);
                        }
                    }
                }
            }
            figures.forEach((name, rounds) -> System.out.println(line(name, rounds)));
            assertThat(figures).hasSize(kinds.size() * Client.values().length);
        } finally {
            server.destroy();
        }
        assertThat(memory.usedBytes()).isZero();
    }

    private static String line(String name, List<Figure> rounds) {
        double[] rates =
                rounds.stream().mapToDouble(Figure::gigabytesPerSecond).sorted().toArray();
        double[] cpus = rounds.stream()
                .mapToDouble(Figure::cpuSecondsPerGigabyte)
                .sorted()
                .toArray();
        return String.format(
                Locale.ROOT,
                "%-24s %7.3f GB/s (%.3f to %.3f), %6.2f CPU-s/GB",
                name,
                rates[rates.length / 2],
                rates[0],
                rates[rates.length - 1],
                cpus[cpus.length / 2]);
    }

    private Figure measure(Client client, Kind kind, URI endpoint) throws Exception {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        LongAdder bytes = new LongAdder();
        try (AzureStores stores = client.stores();
                BlockStore store = stores.open(new AzureContainer(endpoint, "c", CREDENTIAL));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long cpu = process.getProcessCpuTime();
            long start = System.nanoTime();
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                ends.add(threads.submit(() -> {
                    ByteBuffer content = ByteBuffer.allocateDirect(kind.bytes());
                    while (System.nanoTime() - start < ROUND.toNanos()) {
                        if (kind.puts()) {
                            store.putIfAbsent("b" + kind.bytes(), content.duplicate());
                        } else {
                            read(store, kind.bytes());
                        }
                        bytes.add(kind.bytes());
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            return new Figure(
                    bytes.sum() / (double) (System.nanoTime() - start),
                    (process.getProcessCpuTime() - cpu) / 1e9 / (bytes.sum() / GIGABYTE));
        }
    }

    private void read(BlockStore store, int bytes) throws Exception {
        if (!(store.get("b" + bytes, BlockStore.MAX_BLOB_BYTES, memory) instanceof Blob blob)) {
            throw new IOException("the server has no such blob");
        }
        try {
            assertThat(blob.length()).isEqualTo(bytes);
        } finally {
            blob.memory().release();
        }
    }

    /** A server that has a blob of each length, whose name ends with it, and takes each that it is given. */
    static final class BlobServer {
        private BlobServer() {}

        public static void main(String[] arguments) throws IOException {
            try (ServerSocket listening = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress())) {
                System.out.print(listening.getLocalPort());
                System.out.flush();
                while (true) {
                    Socket socket = listening.accept();
                    Thread.ofPlatform().start(() -> serve(socket));
                }
            }
        }

        private static void serve(Socket socket) {
            byte[] blob = new byte[1_200_000];
            try (socket;
                    InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
                    OutputStream out = socket.getOutputStream()) {
                socket.setTcpNoDelay(true);
                for (String head = head(in); !head.isEmpty(); head = head(in)) {
                    int length = Integer.parseInt(head.replaceFirst("(?s)^\\S+ \\S*/b(\\d+).*", "$1"));
                    boolean put = head.startsWith("PUT");
                    if (put) {
                        in.skipNBytes(length);
                    }
                    out.write(
                            "HTTP/1.1 %s\r\nETag: \"0x1\"\r\nLast-Modified: Fri, 27 Nov 2026 00:00:00 GMT\r\nx-ms-request-id: 1\r\nx-ms-blob-type: BlockBlob\r\nContent-Length: %d\r\n\r\n"
                                    .formatted(put ? "201 Created" : "200 OK", put ? 0 : length)
                                    .getBytes(ISO_8859_1));
                    out.write(blob, 0, put ? 0 : length);
                }
            } catch (IOException e) {
                // The client has left.
            }
        }

        private static String head(InputStream in) throws IOException {
            byte[] head = new byte[1 << 14];
            int length = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                head[length++] = (byte) next;
                if (length > 3 && head[length - 1] == '\n' && head[length - 3] == '\n') {
                    return new String(Arrays.copyOf(head, length), ISO_8859_1);
                }
            }
            return "";
        }
    }
}
