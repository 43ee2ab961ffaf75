package dev.kvstore.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes TCP connections on to a port of this machine, and flips one bit on request. Thread-safe. */
public final class FlippingProxy implements AutoCloseable {
    /** The direction of bytes. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    private static final int COPY_BYTES = 64 << 10;

    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final FlipCountdown toServer = new FlipCountdown();
    private final FlipCountdown toClient = new FlipCountdown();

    /** A flip that waits until a number of bytes has passed; a negative number for no flip. */
    private static final class FlipCountdown {
        private final AtomicInteger flipped = new AtomicInteger();
        private long left = -1;
        private int mask;

        synchronized void arm(long bytes, int bit) {
            left = bytes;
            mask = 1 << bit;
        }

        synchronized void pass(byte[] bytes, int length) {
            if (left >= 0 && left < length) {
                bytes[(int) left] ^= (byte) mask;
                flipped.incrementAndGet();
            }
            left = left < length ? -1 : left - length;
        }
    }

    public FlippingProxy(int port) throws IOException {
        this.port = port;
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("flipping-proxy").start(this::accept);
    }

    /** The proxy's port of 127.0.0.1. */
    public int port() {
        return listener.getLocalPort();
    }

    /**
     * Flips one bit of the bytes that pass from now on.
     *
     * @param bytes the bytes that pass before
     * @param bit the bit of the byte, 0 to 7
     */
    public void flip(Direction direction, long bytes, int bit) {
        way(direction).arm(bytes, bit);
    }

    /** Forgets flips that were not made yet. */
    public void disarm() {
        toServer.arm(-1, 0);
        toClient.arm(-1, 0);
    }

    /** The number of bits flipped so far. */
    public int flipped(Direction direction) {
        return way(direction).flipped.get();
    }

    private FlipCountdown way(Direction direction) {
        return direction == Direction.TO_SERVER ? toServer : toClient;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(server);
                Thread.ofVirtual().start(() -> pass(client, server, toServer));
                Thread.ofVirtual().start(() -> pass(server, client, toClient));
            }
        } catch (IOException e) {
            // The proxy is closed.
        }
    }

    private void pass(Socket from, Socket to, FlipCountdown countdown) {
        try (from;
                to) {
            from.setTcpNoDelay(true);
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[COPY_BYTES];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                countdown.pass(bytes, read);
                out.write(bytes, 0, read);
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
