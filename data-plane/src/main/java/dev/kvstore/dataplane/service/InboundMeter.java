package dev.kvstore.dataplane.service;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of messages that have arrived, or begun to, and are not yet done with, over all calls. A call that
 * would take them past the limit is refused, so that network memory has a bound whatever clients send. Thread-safe.
 */
public final class InboundMeter extends ServerStreamTracer.Factory {
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
        private final AtomicLong undelivered = new AtomicLong();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable Runnable refuse;

        @Override
        public Context filterContext(Context context) {
            return context.withValue(GAUGE, this);
        }

        @Override
        public void inboundWireSize(long bytes) {
            undelivered.addAndGet(bytes);
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
            heldBytes.addAndGet(-undelivered.getAndSet(0));
        }

        /** What to do when this call goes past the limit. */
        void whenOver(Runnable action) {
            refuse = action;
            if (over.get()) {
                action.run();
            }
        }

        /** A message of this size is now somebody's, who calls {@link #done} for it. */
        void delivered(int bytes) {
            undelivered.addAndGet(-bytes);
        }

        void done(int bytes) {
            heldBytes.addAndGet(-bytes);
        }
    }
}
