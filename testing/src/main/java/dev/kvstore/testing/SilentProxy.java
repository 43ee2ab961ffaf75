package dev.kvstore.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands in front of a port of this machine like a firewall or balancer that forgets connections: on request it
 * forwards nothing more on the open ones, without closing them, and takes new ones. Thread-safe.
 */
public final class SilentProxy implements AutoCloseable {
    private static final int COPY_BYTES = 64 * 1024;

    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();

    public SilentProxy(int port) throws IOException {
        this.port = port;
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("silent-proxy").start(this::accept);
    }

    /** The proxy's port of 127.0.0.1. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Forwards nothing more on the open connections. */
    public void forget() {
        silent.addAll(sockets);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(server);
                Thread.ofVirtual().start(() -> pass(client, server));
                Thread.ofVirtual().start(() -> pass(server, client));
            }
        } catch (IOException e) {
            // The proxy is closed.
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.setTcpNoDelay(true);
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[COPY_BYTES];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (!silent.contains(from)) {
                    out.write(bytes, 0, read);
                }
            }
        } catch (IOException e) {
            // One of the two connections is gone, so the other is closed.
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
