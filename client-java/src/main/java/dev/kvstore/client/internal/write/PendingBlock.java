package dev.kvstore.client.internal.write;

import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.OperationFuture;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A block that a writer has taken. Its outcome may be decided while the pump reads its buffer: by the server, by the
 * writer's end, or by the application through the future. The future completes once the outcome is decided and the pump
 * has released the buffer. The writer's lock guards this object, except {@link #complete} and the outgoing block.
 */
final class PendingBlock {
    private final OutgoingBlock outgoing;
    private final OperationFuture<WriteResult> future;
    private boolean decided;
    private boolean held;
    private boolean settled;
    private @Nullable WriteResult result;
    private @Nullable Throwable failure;

    /** @param withdraw called when the application ends the future early */
    PendingBlock(OutgoingBlock outgoing, Consumer<PendingBlock> withdraw) {
        this.outgoing = outgoing;
        this.future = new OperationFuture<>(() -> withdraw.accept(this));
    }

    OutgoingBlock outgoing() {
        return outgoing;
    }

    int length() {
        return outgoing.length();
    }

    CompletableFuture<WriteResult> future() {
        return future;
    }

    boolean isDecided() {
        return decided;
    }

    /**
     * Decides the outcome, unless it is decided already. With neither result nor failure, the application has decided
     * it through the future.
     */
    void decide(@Nullable WriteResult wanted, @Nullable Throwable reason) {
        if (!decided) {
            decided = true;
            result = wanted;
            failure = reason;
        }
    }

    /** Notes that the pump is going to read the buffer. False if it may not, since the outcome is decided. */
    boolean hold() {
        held = !decided;
        return held;
    }

    /** Notes that the pump reads the buffer no more. */
    void letGo() {
        held = false;
    }

    /** Whether the buffer belongs to the application again. True only once: then the caller completes the future. */
    boolean settle() {
        boolean now = decided && !held && !settled;
        settled |= now;
        return now;
    }

    /** Completes the future, which runs dependent code of the application. Must be called after {@link #settle}. */
    void complete() {
        boolean unused = future.end(result, failure);
    }
}
