package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.util.Locale;

/**
 * A gRPC port that only greets, and behind it pages of health and metrics as a test writes them: for states that no
 * process comes into when it is asked to.
 */
record PretendedHealth(int port, ServerSocket grpc, HttpServer http) implements AutoCloseable {
    /** The first frame of a server of HTTP/2: no settings. */
    private static final byte[] GREETING = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    /**
     * @param checks of readiness, JSON objects with commas between them
     * @param version that it claims to have
     * @param now the time that it claims
     */
    static PretendedHealth start(String checks, String version, Instant now) throws IOException {
        int port = FreePorts.row(1, 0, 1_000);
        InetAddress here = InetAddress.getLoopbackAddress();
        ServerSocket grpc = new ServerSocket(port, 10, here);
        Thread.startVirtualThread(() -> greet(grpc));
        HttpServer http = HttpServer.create(new InetSocketAddress(here, port + 1_000), 0);
        answer(http, "/q/health/ready", "{\"status\": \"UP\", \"checks\": [" + checks + "]}");
        answer(http, "/q/metrics", """
                kvstore_info{version="%s"} 1.0
                process_start_time_seconds %s
                process_uptime_seconds 60.0
                """.formatted(
                        version, String.format(Locale.ROOT, "%.1f", now.toEpochMilli() / 1e3 - 60)));
        http.start();
        return new PretendedHealth(port, grpc, http);
    }

    private static void greet(ServerSocket grpc) {
        while (!grpc.isClosed()) {
            try (Socket client = grpc.accept()) {
                client.getOutputStream().write(GREETING);
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException gone) {
                // The next client, or the end of the test.
            }
        }
    }

    private static void answer(HttpServer http, String path, String page) {
        http.createContext(path, call -> {
            try (call) {
                byte[] bytes = page.getBytes(UTF_8);
                call.sendResponseHeaders(200, bytes.length);
                call.getResponseBody().write(bytes);
            }
        });
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() throws IOException {
        http.stop(0);
        grpc.close();
    }
}
