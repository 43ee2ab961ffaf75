package dev.kvstore.dataplane.service;

import dev.kvstore.protocol.wire.Received;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of messages that have arrived, or begun to, and are not yet done with, over all calls, and the heap
 * that their fields take. A call that
 * would take them past the limit is refused, so that network memory has a bound whatever clients send. Thread-safe.
 */
public final class InboundMeter extends ServerStreamTracer.Factory {
    /** What a field that became an object takes of the heap, about: the object, what it wraps, its place in a list. */
    private static final int FIELD_HEAP_BYTES = 256;

    private static final long CLOSED = Long.MIN_VALUE;
    private static final Context.Key<Gauge> GAUGE = Context.key("kvstore.inbound");

    private final long limitBytes;
    private final AtomicLong heldBytes = new AtomicLong();

    /**
     * A meter at zero.
     *
     * @param limitBytes most bytes held at a time, at least one longest message
     */
    public InboundMeter(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Bytes held now. */
    public long heldBytes() {
        return heldBytes.get();
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
        return new Gauge();
    }

    /** The gauge of the call being started. */
    static @Nullable Gauge current() {
        return GAUGE.get();
    }

    /** What one call holds. The transport counts up, whoever is done with a message counts down. */
    final class Gauge extends ServerStreamTracer {
        /** Bytes of a message that is not whole yet, or {@link #CLOSED}. */
        private final AtomicLong undelivered = new AtomicLong();

        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable Runnable refuse;
        private volatile @Nullable Runnable arriving;
        private volatile long arrivingSince;

        @Override
        public Context filterContext(Context context) {
            return context.withValue(GAUGE, this);
        }

        @Override
        public void inboundWireSize(long bytes) {
            if (undelivered.get() == 0) {
                // Before anybody can see that a message is arriving. The transport calls from one thread.
                arrivingSince = System.nanoTime();
            }
            long before = undelivered.getAndUpdate(held -> held == CLOSED ? CLOSED : held + bytes);
            if (before == CLOSED) {
                return;
            }
            hold(bytes);
            Runnable action = arriving;
            if (before == 0 && action != null) {
                action.run();
            }
        }

        private void hold(long bytes) {
            if (heldBytes.addAndGet(bytes) > limitBytes) {
                over.set(true);
                Runnable action = refuse;
                if (action != null) {
                    action.run();
                }
            }
        }

        @Override
        public void streamClosed(Status status) {
            long held = undelivered.getAndSet(CLOSED);
            if (held != CLOSED) {
                heldBytes.addAndGet(-held);
            }
        }

        /** What to do when this call goes past the limit. */
        void whenOver(Runnable action) {
            refuse = action;
            if (over.get()) {
                action.run();
            }
        }

        /** What to do when a message begins to arrive. */
        void whenArriving(Runnable action) {
            arriving = action;
        }

        /** How long a message has been arriving that is not whole yet, in nanoseconds; 0 if there is none. */
        long arrivingNanos() {
            return undelivered.get() > 0 ? Math.max(1, System.nanoTime() - arrivingSince) : 0;
        }

        /** A message is now somebody's, who calls {@link #done} for it. */
        void delivered(Received<?> message) {
            int bytes = message.bytes();
            long before = undelivered.getAndUpdate(held -> held == CLOSED ? CLOSED : held - bytes);
            // Where the call was closed before, its bytes have been given back already.
            hold(heapBytes(message) + (before == CLOSED ? bytes : 0));
        }

        void done(Received<?> message) {
            heldBytes.addAndGet(-message.bytes() - heapBytes(message));
        }

        private static long heapBytes(Received<?> message) {
            return (long) message.fields() * FIELD_HEAP_BYTES;
        }
    }
}
