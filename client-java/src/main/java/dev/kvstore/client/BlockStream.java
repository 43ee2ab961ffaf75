package dev.kvstore.client;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Blocks in the order of the request, each as soon as it and those before it have arrived. The caller must close each
 * block of a {@link BlockResult.Found}, and the stream. If a connection breaks, the stream asks for the blocks that
 * were not delivered yet at another one.
 *
 * <p>A slow caller stops the flow, and loses nothing: the stream takes at most {@code readWindowBytes}, or one block if
 * that is longer, ahead of the caller, and the transport takes at most {@code transport.flowControlWindowBytes}
 * besides; then the server waits. This memory, 80 MiB by default, stays taken while the caller pauses; {@code
 * maxReadMemoryBytes} bounds that of all streams of a client, and makes these windows smaller while many streams are
 * open. After 30 s without progress (the server's setting {@code client-stall-timeout}) the server resets its stream,
 * and the SDK opens another one when the caller goes on. The deadline of the call runs all the time. One thread at a
 * time may use a stream; any thread may call {@link #close}.
 */
public interface BlockStream extends Iterable<BlockResult>, AutoCloseable {
    /**
     * Waits for the next block's result; null after the last. A missing block is a {@link BlockResult.Missing}, a block
     * that could not be read is a {@link BlockResult.Failed}; the stream goes on after both.
     *
     * @throws KvStoreException if the stream as a whole failed: {@code DEADLINE_EXCEEDED}, {@code UNAUTHENTICATED} ...;
     *     {@code CANCELLED} if the thread was interrupted. Blocks that had arrived are delivered before the exception
     */
    @Nullable
    BlockResult next();

    /**
     * Iterates over the results that were not taken yet. All iterators of a stream share its position, so a second
     * iterator continues where the first stopped.
     */
    @Override
    Iterator<BlockResult> iterator();

    /**
     * Gives up the blocks that were not taken. Blocks that were taken stay valid until the application closes them. Any
     * thread may close the stream; a thread that waits for a block then fails with {@code CANCELLED}.
     */
    @Override
    void close();
}
