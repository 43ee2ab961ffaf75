package dev.kvstore.client.internal;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A streaming read as a publisher: each subscription reads on a thread of its own, at its subscriber's pace.
 */
public final class BlockPublisher implements Flow.Publisher<BlockResult> {
    private final Supplier<BlockStream> read;
    private final BoundedThreads threads;

    public BlockPublisher(Supplier<BlockStream> read, BoundedThreads threads) {
        this.read = read;
        this.threads = threads;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super BlockResult> subscriber) {
        BlockSubscription reading = new BlockSubscription(subscriber);
        threads.start(() -> reading.run(read), refusal -> {
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
        private boolean illegal;

        private BlockSubscription(Flow.Subscriber<? super BlockResult> subscriber) {
            this.subscriber = subscriber;
        }

        /** Reads until the end. Answers the signal for the subscriber at the end. */
        private Runnable run(Supplier<BlockStream> read) {
            try {
                return publish(read);
            } catch (InterruptedException e) {
                return failed(Errors.interrupted());
            } catch (RuntimeException | Error e) {
                return failed(e);
            }
        }

        private Runnable publish(Supplier<BlockStream> read) throws InterruptedException {
            subscriber.onSubscribe(this);
            try (BlockStream stream = interruption.during(read)) {
                while (awaitDemand()) {
                    BlockResult result = interruption.during(stream::next);
                    if (result == null) {
                        return cancelled() ? BlockSubscription::nothing : subscriber::onComplete;
                    }
                    deliver(result);
                }
            }
            return failed(new IllegalArgumentException("request: must be more than 0"));
        }

        /** A subscriber that has cancelled gets no signal. */
        private static void nothing() {}

        private void deliver(BlockResult result) {
            if (cancelled()) {
                if (result instanceof BlockResult.Found found) {
                    found.block().close();
                }
                return;
            }
            subscriber.onNext(result);
        }

        private Runnable failed(Throwable reason) {
            return cancelled() ? BlockSubscription::nothing : () -> subscriber.onError(reason);
        }

        /** Waits for demand; false if the subscription was cancelled, or asked for 0 or fewer blocks. */
        private boolean awaitDemand() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (demand == 0 && !cancelled && !illegal) {
                    changed.await();
                }
                demand--;
                return !cancelled && !illegal;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void request(long more) {
            lock.lock();
            try {
                illegal |= more <= 0;
                demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
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
