package dev.kvstore.client.internal.read;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.BoundedThreads;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.Interruption;
import dev.kvstore.client.internal.http2.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A streaming read as a publisher: each subscription reads on a thread of its own, at its subscriber's pace, and ends
 * at the deadline at the latest.
 *
 * @param blocks the number of results of a read
 */
public record BlockPublisher(int blocks, Duration deadline, Supplier<BlockStream> read, BoundedThreads threads)
        implements Flow.Publisher<BlockResult> {
    @Override
    public void subscribe(Flow.Subscriber<? super BlockResult> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        BlockSubscription reading = new BlockSubscription(subscriber);
        threads.start(() -> reading.run(this), reading::close, refusal -> {
            subscriber.onSubscribe(reading);
            subscriber.onError(refusal);
        });
    }

    private static final class BlockSubscription implements Flow.Subscription {
        private final Flow.Subscriber<? super BlockResult> subscriber;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Interruption interruption = new Interruption();
        private long demand;
        private boolean cancelled;
        private @Nullable RuntimeException failure;

        private BlockSubscription(Flow.Subscriber<? super BlockResult> subscriber) {
            this.subscriber = subscriber;
        }

        /** Reads until the end, and returns the last signal for the subscriber. */
        private Runnable run(BlockPublisher source) {
            try {
                publish(source);
                return end(subscriber::onComplete);
            } catch (InterruptedException e) {
                return end(() -> subscriber.onError(Errors.interrupted()));
            } catch (RuntimeException | Error e) {
                return end(() -> subscriber.onError(e));
            }
        }

        /** The last signal, or none for a subscriber that has cancelled. */
        private Runnable end(Runnable signal) {
            return cancelled() ? () -> {} : signal;
        }

        private void publish(BlockPublisher source) throws InterruptedException {
            subscriber.onSubscribe(this);
            long until = System.nanoTime() + Nanos.of(source.deadline);
            try (BlockStream stream = interruption.during(source.read)) {
                int left = source.blocks;
                while (left > 0 && awaitDemand(until)) {
                    deliver(interruption.during(stream::next));
                    left--;
                }
                if (left == 0) {
                    var unused = interruption.during(stream::next); // the end needs no demand
                }
            }
        }

        private void deliver(@Nullable BlockResult result) {
            if (!cancelled()) {
                subscriber.onNext(Objects.requireNonNull(result, "a read has a result for each block"));
            } else if (result instanceof BlockResult.Found found) {
                found.block().close();
            }
        }

        /** Waits until the subscriber asks for a block; false if it has cancelled. */
        private boolean awaitDemand(long until) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                long left = until - System.nanoTime();
                while (demand == 0 && !cancelled && failure == null) {
                    if (left <= 0) {
                        throw new KvStoreException(
                                ErrorCode.DEADLINE_EXCEEDED, "the subscriber asked for no block until the deadline");
                    }
                    left = changed.awaitNanos(left);
                }
                if (failure != null) {
                    throw failure;
                }
                demand--;
                return !cancelled;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void request(long more) {
            lock.lock();
            try {
                if (more <= 0) {
                    fail(new IllegalArgumentException("request: must be more than 0, by rule 3.9 of Reactive Streams"));
                }
                demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        /** Ends the subscription, since the client is closed. */
        private void close() {
            fail(Errors.clientClosed());
        }

        private void fail(RuntimeException reason) {
            lock.lock();
            try {
                failure = reason;
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void cancel() {
            lock.lock();
            try {
                cancelled = true;
                changed.signal();
            } finally {
                lock.unlock();
            }
            interruption.interrupt();
        }

        private boolean cancelled() {
            lock.lock();
            try {
                return cancelled;
            } finally {
                lock.unlock();
            }
        }
    }
}
