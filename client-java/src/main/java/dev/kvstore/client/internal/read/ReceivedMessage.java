package dev.kvstore.client.internal.read;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Network memory of one message, shared by the blocks that have parts in it, and given back with the last of them. The
 * memory starts with one holder. Thread-safe.
 */
public final class ReceivedMessage {
    private final Runnable giveBack;
    private final AtomicInteger holders = new AtomicInteger(1);

    public ReceivedMessage(Runnable giveBack) {
        this.giveBack = giveBack;
    }

    void retain() {
        if (holders.getAndIncrement() <= 0) {
            throw new IllegalStateException("network memory was given back already");
        }
    }

    public void release() {
        if (holders.decrementAndGet() == 0) {
            giveBack.run();
        }
    }
}
