package dev.kvstore.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A small load balancer: passes each connection on from an address of its own, after a header. Thread-safe. */
public final class HeaderRelay implements AutoCloseable {
    private final ServerSocket listening;

    /**
     * Listens on a free port of loopback.
     *
     * @param from the relay's own address
     * @param header the bytes at the beginning of each of its connections
     */
    public HeaderRelay(String from, byte[] header, int port) {
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(() -> {
            while (true) {
                try {
                    Socket client = listening.accept();
                    Socket server = new Socket("127.0.0.1", port, InetAddress.getByName(from), 0);
                    server.getOutputStream().write(header);
                    Thread.startVirtualThread(() -> pass(client, server));
                    Thread.startVirtualThread(() -> pass(server, client));
                } catch (IOException e) {
                    return; // the relay is closed
                }
            }
        });
    }

    private static void pass(Socket one, Socket other) {
        try (one;
                other) {
            one.getInputStream().transferTo(other.getOutputStream());
        } catch (IOException e) {
            // One of the two connections is gone, so the other is closed.
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
