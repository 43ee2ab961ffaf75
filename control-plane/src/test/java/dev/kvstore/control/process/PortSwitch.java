package dev.kvstore.control.process;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port of loopback that leads to another, as a name does that moves: connections that exist stay where they led.
 * Thread-safe.
 */
final class PortSwitch implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile int target;

    PortSwitch(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("port-switch").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** New connections, from now on. */
    void leadTo(int port) {
        target = port;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                try {
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                    sockets.add(client);
                    sockets.add(server);
                    Thread.ofVirtual().start(() -> pass(client, server));
                    Thread.ofVirtual().start(() -> pass(server, client));
                } catch (IOException e) {
                    // Nobody is there: as if nobody were here.
                    client.close();
                }
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    /** Until one of both ends, which is the end of the other. */
    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            var _ = from.getInputStream().transferTo(out);
        } catch (IOException e) {
            // The other direction sees it too.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
