package dev.kvstore.client;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Blocks in the order they were asked for, each as soon as it is there. A connection that breaks is replaced and the
 * blocks not delivered yet are asked for again. For one thread at a time, but for {@link #close}.
 */
public interface BlockStream extends Iterable<BlockResult>, AutoCloseable {
    /**
     * The next block's result, or null after the last; waits for it.
     *
     * @throws KvStoreException if the stream as a whole failed, after every block that had arrived was delivered:
     *     {@code DEADLINE_EXCEEDED}, {@code UNAUTHENTICATED} ...; {@code CANCELLED} if the thread was interrupted
     */
    @Nullable
    BlockResult next();

    /** The results not taken yet, once: one stream, one iteration. */
    @Override
    Iterator<BlockResult> iterator();

    /**
     * Gives up what was not taken. Blocks that were taken stay the application's. Any thread may close the stream; one
     * that waits for a block then fails with {@code CANCELLED}.
     */
    @Override
    void close();
}
