package dev.kvstore.simulation.sockets;

import io.netty.util.concurrent.Future;
import java.util.concurrent.CountDownLatch;

/** Waits for Netty's futures, which wait by their monitors: a thread of the JVM would wake whoever waits so. */
public final class NettyWaits {
    private NettyWaits() {}

    /** In place of this method, and of the one that an interrupt ends. */
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
