package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * The time that this machine takes to pass a message over loopback from thread to thread and back, without work: as
 * many threads as a call to the control plane wakes. This time is part of every call, whichever program serves it.
 * Stateless.
 */
final class BareChain {
    /** The control plane's event loop, its virtual thread's carrier, PostgreSQL, and the client's event loop. */
    private static final int THREADS = 4;

    private static final int MESSAGE_BYTES = 100;

    private BareChain() {}

    /**
     * Sends {@code count} messages there and back, one at a time.
     *
     * @param perSecond 0 for the next one as soon as the last one is back
     */
    static Latencies.Percentiles measure(int perSecond, int count) throws InterruptedException {
        try (ServerSocket listener = new ServerSocket(0, THREADS, InetAddress.getLoopbackAddress());
                Socket first = chain(listener, THREADS)) {
            Latencies latencies = new Latencies();
            CallLoad.calls(1, perSecond, count, _ -> {
                long begun = System.nanoTime();
                if (exchange(first, new byte[MESSAGE_BYTES]).length < MESSAGE_BYTES) {
                    throw new IOException("the chain of threads is broken");
                }
                latencies.addSince(begun);
            });
            return latencies.percentiles();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection to the first of so many threads, each of which asks the next; they end when it is closed. */
    private static Socket chain(ServerSocket listener, int threads) throws IOException {
        Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket far = listener.accept();
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        Socket next = threads == 1 ? null : chain(listener, threads - 1);
        Thread.ofPlatform().daemon().name("bare-chain-" + threads).start(() -> pass(far, next));
        return near;
    }

    private static void pass(Socket from, @Nullable Socket to) {
        try (from;
                to) {
            byte[] message = from.getInputStream().readNBytes(MESSAGE_BYTES);
            while (message.length == MESSAGE_BYTES) {
                from.getOutputStream().write(to == null ? message : exchange(to, message));
                message = from.getInputStream().readNBytes(MESSAGE_BYTES);
            }
        } catch (IOException e) {
            // The end of the connection tells the thread that asks.
        }
    }

    private static byte[] exchange(Socket socket, byte[] message) throws IOException {
        socket.getOutputStream().write(message);
        return socket.getInputStream().readNBytes(MESSAGE_BYTES);
    }
}
