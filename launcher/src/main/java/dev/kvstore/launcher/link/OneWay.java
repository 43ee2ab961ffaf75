package dev.kvstore.launcher.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** One direction of a connection. It sends bytes on after a delay, in order. One thread uses it. */
final class OneWay {
    private static final int CHUNK = 64 * 1024;

    // The number of chunks under way: with a delay of 80 ms, 2048 chunks are room for 1.6 GB/s, and 128 MiB at most.
    private static final int UNDER_WAY = 2_048;

    /**
     * Bytes under way.
     *
     * @param due the time of their arrival, by {@link System#nanoTime}
     * @param bytes the bytes; none at the end
     */
    private record DelayedBytes(long due, ByteBuffer bytes) {}

    private final Socket from;
    private final Socket to;
    private final Duration delay;
    private final BlockingQueue<DelayedBytes> underWay = new ArrayBlockingQueue<>(UNDER_WAY);

    OneWay(Socket from, Socket to, Duration delay) {
        this.from = from;
        this.to = to;
        this.delay = delay;
    }

    /**
     * Passes bytes on. Returns when the sender has ended and all bytes have arrived, or when either end is gone; then
     * both are closed or ended.
     */
    void run() {
        Thread sender = Thread.ofVirtual().start(this::send);
        try {
            take();
            sender.join();
        } catch (IOException | InterruptedException e) {
            sender.interrupt();
            closeBoth();
        }
    }

    private void take() throws IOException, InterruptedException {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[CHUNK];
        int length;
        do {
            length = in.read(buffer);
            byte[] bytes = Arrays.copyOf(buffer, Math.max(0, length));
            DelayedBytes delayedBytes = new DelayedBytes(System.nanoTime() + delay.toNanos(), ByteBuffer.wrap(bytes));
            while (!underWay.offer(delayedBytes, 1, TimeUnit.SECONDS)) {
                if (to.isClosed()) {
                    return;
                }
            }
        } while (length >= 0);
    }

    private void send() {
        try {
            OutputStream out = to.getOutputStream();
            for (DelayedBytes delayedBytes = underWay.take();
                    delayedBytes.bytes().hasRemaining();
                    delayedBytes = underWay.take()) {
                long left = delayedBytes.due() - System.nanoTime();
                if (left > 0) {
                    TimeUnit.NANOSECONDS.sleep(left);
                }
                out.write(delayedBytes.bytes().array());
            }
            to.shutdownOutput();
        } catch (IOException | InterruptedException e) {
            closeBoth();
        }
    }

    private void closeBoth() {
        for (Socket socket : new Socket[] {from, to}) {
            try {
                socket.close();
            } catch (IOException e) {
                // The connection is gone.
            }
        }
    }
}
