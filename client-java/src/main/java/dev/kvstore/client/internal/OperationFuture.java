package dev.kvstore.client.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future that completes only when its operation is over, so that it no longer reads memory that the application lent
 * to it. Ending the future from outside ({@code cancel}, {@code orTimeout}, {@code complete}) decides its outcome and
 * stops the operation. Thread-safe.
 */
public final class OperationFuture<T> extends CompletableFuture<T> {
    private final AtomicReference<@Nullable BooleanSupplier> ending = new AtomicReference<>();
    private final Runnable stop;

    /** @param stop stops the operation; called once at most, from any thread, and must not wait */
    public OperationFuture(Runnable stop) {
        this.stop = stop;
    }

    /**
     * Ends the operation with this result or failure.
     *
     * @return false if the future was ended from outside before; then the result is dropped
     */
    public boolean end(@Nullable T result, @Nullable Throwable failure) {
        BooleanSupplier own = () -> failure == null ? super.complete(result) : super.completeExceptionally(failure);
        BooleanSupplier first = ending.compareAndExchange(null, own);
        boolean unused = (first == null ? own : first).getAsBoolean();
        return first == null;
    }

    private boolean endEarly(BooleanSupplier how) {
        if (!ending.compareAndSet(null, how)) {
            return false;
        }
        stop.run();
        return true;
    }

    @Override
    public boolean complete(T value) {
        return endEarly(() -> super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return endEarly(() -> super.completeExceptionally(failure));
    }

    /**
     * Cancels the operation. True if this call decides the outcome; the future is cancelled once the operation has
     * stopped.
     */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        return endEarly(() -> super.cancel(mayInterrupt)) || isCancelled();
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        executor.execute(() -> {
            try {
                complete(supplier.get());
            } catch (RuntimeException | Error e) {
                completeExceptionally(e);
            }
        });
        return this;
    }

    @Override
    public void obtrudeValue(T value) {
        throw new UnsupportedOperationException("only the operation's end completes this future");
    }

    @Override
    public void obtrudeException(Throwable failure) {
        throw new UnsupportedOperationException("only the operation's end completes this future");
    }
}
