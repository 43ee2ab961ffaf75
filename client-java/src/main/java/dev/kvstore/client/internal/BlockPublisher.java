package dev.kvstore.client.internal;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvStoreException;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A streaming read as a publisher: each subscription reads on a virtual thread of its own, at its subscriber's pace. */
public final class BlockPublisher implements Flow.Publisher<BlockResult> {
    private final Supplier<BlockStream> read;
    private final BoundedThreads threads;

    public BlockPublisher(Supplier<BlockStream> read, BoundedThreads threads) {
        this.read = read;
        this.threads = threads;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super BlockResult> subscriber) {
        Reading reading = new Reading(subscriber);
        threads.start(() -> reading.run(read), refusal -> {
            subscriber.onSubscribe(reading);
            subscriber.onError(refusal);
        });
    }

    private static final class Reading implements Flow.Subscription {
        private final Flow.Subscriber<? super BlockResult> subscriber;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private long demand;
        private boolean cancelled;
        private boolean illegal;
        private @Nullable Thread reader;

        private Reading(Flow.Subscriber<? super BlockResult> subscriber) {
            this.subscriber = subscriber;
        }

        private void run(Supplier<BlockStream> read) {
            reader(Thread.currentThread());
            subscriber.onSubscribe(this);
            try (BlockStream stream = read.get()) {
                while (awaitDemand()) {
                    BlockResult result = stream.next();
                    if (result == null) {
                        subscriber.onComplete();
                        return;
                    }
                    deliver(result);
                }
            } catch (KvStoreException e) {
                fail(e);
            } catch (InterruptedException e) {
                fail(Errors.interrupted());
            } finally {
                reader(null);
            }
        }

        private void deliver(BlockResult result) {
            if (cancelled()) {
                if (result instanceof BlockResult.Found found) {
                    found.block().close();
                }
                return;
            }
            subscriber.onNext(result);
        }

        private void fail(KvStoreException e) {
            if (!cancelled()) {
                subscriber.onError(e);
            }
        }

        private boolean awaitDemand() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (demand == 0 && !cancelled && !illegal) {
                    changed.await();
                }
                if (illegal) {
                    cancelled = true;
                    subscriber.onError(new IllegalArgumentException("request: must be more than 0"));
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
                if (reader != null && reader != Thread.currentThread()) {
                    reader.interrupt();
                }
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        private boolean cancelled() {
            lock.lock();
            try {
                return cancelled;
            } finally {
                lock.unlock();
            }
        }

        private void reader(@Nullable Thread thread) {
            lock.lock();
            try {
                reader = thread;
            } finally {
                lock.unlock();
            }
        }
    }
}
