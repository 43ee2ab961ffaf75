package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Measures the time that this machine takes to pass a message over loopback from thread to thread and back, without
 * work: as many threads as a call to the control plane wakes. This time is part of every call, whichever program serves
 * it. For one thread.
 */
final class BareChain implements AutoCloseable {
    /** The control plane's event loop, its virtual thread's carrier, PostgreSQL, and the client's event loop. */
    private static final int THREADS = 4;

    private static final int MESSAGE_BYTES = 100;

    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private final Socket first;

    BareChain() throws IOException {
        Socket next = null;
        for (int i = 0; i < THREADS; i++) {
            try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Socket near = connected(new Socket(listener.getInetAddress(), listener.getLocalPort()));
                Socket far = connected(listener.accept());
                Socket after = next;
                Thread.ofPlatform().daemon().name("bare-chain-" + i).start(() -> pass(far, after));
                next = near;
            }
        }
        first = Objects.requireNonNull(next);
    }

    private Socket connected(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    /** Until either socket is closed. */
    private void pass(Socket from, @Nullable Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = from.getOutputStream();
            for (byte[] message = in.readNBytes(MESSAGE_BYTES);
                    message.length == MESSAGE_BYTES;
                    message = in.readNBytes(MESSAGE_BYTES)) {
                out.write(to == null ? message : exchange(to, message));
            }
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        }
    }

    private static byte[] exchange(Socket socket, byte[] message) throws IOException {
        socket.getOutputStream().write(message);
        return socket.getInputStream().readNBytes(MESSAGE_BYTES);
    }

    /** Sends {@code count} messages there and back, one at a time. */
    Latencies.Percentiles measure(RequestPace pace, int count) {
        Latencies latencies = new Latencies();
        byte[] message = new byte[MESSAGE_BYTES];
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            pace.awaitTurn(start, i);
            long begun = System.nanoTime();
            try {
                if (exchange(first, message).length < MESSAGE_BYTES) {
                    throw new IOException("the chain is broken", failure.get());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            latencies.addSince(begun);
        }
        return latencies.percentiles();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
