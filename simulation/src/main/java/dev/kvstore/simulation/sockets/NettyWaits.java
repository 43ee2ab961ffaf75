package dev.kvstore.simulation.sockets;

import io.netty.util.concurrent.Future;
import java.util.concurrent.CountDownLatch;

/**
 * Waits for Netty's futures. Netty waits on their monitors, where a thread of the JVM would wake the waiting thread.
 */
public final class NettyWaits {
    private NettyWaits() {}

    /**
     * Replaces {@code awaitUninterruptibly} of Netty's futures, and {@code await}, whose wait an interrupt would end.
     */
    public static <T> Future<T> awaitUninterruptibly(Future<T> future) {
        CountDownLatch done = new CountDownLatch(1);
        var _ = future.addListener(_ -> done.countDown());
        boolean isInterrupted = false;
        while (done.getCount() > 0) {
            try {
                done.await();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return future;
    }
}
