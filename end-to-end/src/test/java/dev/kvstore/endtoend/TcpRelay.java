package dev.kvstore.endtoend;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** Has a service of the loopback address reached at another address of this machine. Thread-safe. */
final class TcpRelay implements Closeable {
    private static final int BACKLOG = 500;

    private final ServerSocket listener;
    private final InetSocketAddress service;

    private TcpRelay(ServerSocket listener, InetSocketAddress service) {
        this.listener = listener;
        this.service = service;
    }

    static TcpRelay start(InetAddress at, URI service) throws IOException {
        ServerSocket listener = new ServerSocket(0, BACKLOG, at);
        TcpRelay relay = new TcpRelay(listener, new InetSocketAddress(service.getHost(), service.getPort()));
        Thread.ofVirtual().name("relay").start(relay::accept);
        return relay;
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket();
                server.connect(service);
                pass(client, server);
                pass(server, client);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void pass(Socket from, Socket to) {
        Thread.ofVirtual().start(() -> {
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            } catch (IOException gone) {
                // The other direction ends by it, too.
            }
        });
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
