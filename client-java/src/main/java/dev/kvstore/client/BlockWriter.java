package dev.kvstore.client;

import java.util.concurrent.CompletableFuture;

/**
 * Writes many blocks through one stream. If a connection breaks, the blocks without a result are sent again over
 * another one. The deadline runs from opening the writer to its end. Thread-safe.
 */
public interface BlockWriter extends AutoCloseable {
    /**
     * Hands a block over; waits while {@code writeWindowBytes} are under way. The buffer must not change until the
     * future completes, with the result or with the block's own {@link KvStoreException}. The future completes on a
     * thread of the writer, a virtual thread from Java 21 on and a platform thread on Java 17; code that depends on the
     * future may block, and may use this writer. If the process can have no more threads, futures complete one after
     * the other, each once code that depends on the future before it has ended. Ending the future early ({@code
     * cancel}, {@code orTimeout}) gives the block up, unless it is stored already; the future then completes once the
     * buffer is not read any more.
     *
     * @throws IllegalArgumentException if the block breaks a rule; the message names the field
     * @throws IllegalStateException if the writer is finished or closed
     * @throws KvStoreException {@code CANCELLED} if the thread was interrupted while waiting
     */
    CompletableFuture<WriteResult> write(NewBlock block);

    /**
     * Ends the writer: no block follows. Waits until every future is complete, but not for code that depends on the
     * futures. A failed block does not fail this call; its own future has the failure.
     *
     * @throws KvStoreException {@code CANCELLED} if the thread was interrupted while waiting; {@code DEADLINE_EXCEEDED}
     *     if the deadline has passed and futures still wait for a thread
     */
    void finish();

    /**
     * Gives up the blocks without a result: their futures fail with {@code CANCELLED}. Does nothing after
     * {@link #finish}.
     */
    @Override
    void close();
}
