package dev.kvstore.dataplane.server;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Runs once the application has started. Does nothing, unless the gRPC listener did not start. */
public final class ServingApplication implements QuarkusApplication {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final String host;
    private final int port;
    private final ClusterLife cluster;

    @Inject
    ServingApplication(
            ClusterLife cluster,
            @ConfigProperty(name = "quarkus.grpc.server.host") String host,
            @ConfigProperty(name = "quarkus.grpc.server.port") int port) {
        this.cluster = cluster;
        this.host = host;
        this.port = port;
    }

    @Override
    public int run(String... args) throws IOException {
        // Quarkus logs why it could not start the listener, and goes on without it.
        if (!isListening()) {
            System.err.println("kv node: cannot serve gRPC on " + host + ":" + port + "; the log says why");
            return 1;
        }
        cluster.join();
        Quarkus.waitForExit();
        return 0;
    }

    private boolean isListening() throws IOException {
        InetAddress address = InetAddress.getByName(host);
        InetAddress reachable = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(reachable, port), Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
