package dev.kvstore.client;

import java.util.concurrent.CompletableFuture;

/**
 * Writes many blocks through one stream. A connection that breaks is replaced and the blocks not acknowledged are sent
 * again. The deadline counts from opening the writer to its end. Thread-safe.
 */
public interface BlockWriter extends AutoCloseable {
    /**
     * Hands a block over; waits while {@code writeWindowBytes} are under way. Its buffer must stay as it is until the
     * future completes: with the result, or with a {@link KvStoreException} of its own. Ending the future early
     * ({@code cancel}, {@code orTimeout}) gives the block up, unless it is stored already; the future completes once the
     * buffer is not read any more. What hangs on the future may use the writer.
     *
     * @throws IllegalArgumentException if the block breaks a rule; the message names the field
     * @throws IllegalStateException if the writer is finished or closed
     * @throws KvStoreException {@code CANCELLED} if the thread was interrupted while waiting
     */
    CompletableFuture<WriteResult> write(NewBlock block);

    /**
     * Says that no block follows and waits until every future is complete, but not for what hangs on them. Blocks that failed say so themselves.
     *
     * @throws KvStoreException {@code CANCELLED} if the thread was interrupted while waiting
     */
    void finish();

    /** Gives up blocks that are not acknowledged: their futures end with {@code CANCELLED}. Nothing after finishing. */
    @Override
    void close();
}
