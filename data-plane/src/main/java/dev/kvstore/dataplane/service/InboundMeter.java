package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of messages that have arrived, or begun to, and are not yet done with, over all calls that move
 * blocks, and the heap that their fields take; and of these bytes, those of each party and connection. A call that would
 * take one of these sums past its limit is refused, so that network memory has a bound whatever clients send. A party may
 * hold as much as is left for all others: half, if it is alone; a third each, if there are two such. So some is left for
 * whoever comes, however many parties take all they can. Thread-safe.
 */
public final class InboundMeter extends ServerStreamTracer.Factory {
    /** What a field that became an object takes of the heap, about: the object, what it wraps, its place in a list. */
    private static final int FIELD_HEAP_BYTES = 256;

    /** Of the limit, what the calls of one connection may hold. */
    private static final int CONNECTIONS_PART = 4;

    private static final String METHODS = KVStoreServiceGrpc.SERVICE_NAME + "/";
    private static final long CLOSED = Long.MIN_VALUE;
    private static final Context.Key<Gauge> GAUGE = Context.key("kvstore.inbound");

    /** What several calls hold together. Thread-safe. */
    public static final class Held {
        private final AtomicLong bytes = new AtomicLong();

        /** Nothing. */
        public Held() {}

        /** How much now. */
        public long bytes() {
            return bytes.get();
        }
    }

    private final long limitBytes;
    private final long leastOfParty;
    private final long limitOfConnection;
    private final Held all = new Held();

    /** One for each party that has calls. */
    private final Cache<Party, Held> parties =
            Caffeine.newBuilder().weakValues().executor(Runnable::run).build();

    /**
     * A meter at zero.
     *
     * @param limitBytes most bytes held at a time, at least one longest message
     */
    public InboundMeter(long limitBytes) {
        this.limitBytes = limitBytes;
        // Every tenant may send the longest message.
        this.leastOfParty = Math.min(limitBytes, KvStoreMethods.MAX_MESSAGE_BYTES);
        this.limitOfConnection = Math.max(limitBytes / CONNECTIONS_PART, leastOfParty);
    }

    /** Bytes held now. */
    public long heldBytes() {
        return all.bytes();
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
        return fullMethodName.startsWith(METHODS) ? new Gauge() : new BriefMessages();
    }

    /** The gauge of the call being started. */
    static @Nullable Gauge current() {
        return GAUGE.get();
    }

    /** What one call holds. The transport counts up, whoever is done with a message counts down. */
    final class Gauge extends ServerStreamTracer {
        /** Bytes of a message that is not whole yet, or {@link #CLOSED}. */
        private final AtomicLong undelivered = new AtomicLong();

        private final AtomicReference<Operations.@Nullable Reason> over = new AtomicReference<>();
        private volatile @Nullable Consumer<Operations.Reason> refuse;
        private volatile @Nullable Runnable arriving;
        private volatile long arrivingSince;
        private Held ofParty = new Held();
        private Held ofConnection = new Held();

        /** Counts this call for a party and a connection too; before any message is asked for. */
        void belongsTo(Party party, Held connection) {
            ofParty = parties.get(party, _ -> new Held());
            ofConnection = connection;
        }

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
            long left = limitBytes - all.bytes.addAndGet(bytes);
            boolean overParty = ofParty.bytes.addAndGet(bytes) > Math.max(left, leastOfParty);
            boolean overConnection = ofConnection.bytes.addAndGet(bytes) > limitOfConnection;
            if (overParty || overConnection) {
                refuse(Operations.Reason.INBOUND_SHARE);
            } else if (left < 0) {
                refuse(Operations.Reason.INBOUND);
            }
        }

        private void refuse(Operations.Reason reason) {
            over.compareAndSet(null, reason);
            Consumer<Operations.Reason> action = refuse;
            if (action != null) {
                action.accept(reason);
            }
        }

        private void giveBack(long bytes) {
            all.bytes.addAndGet(-bytes);
            ofParty.bytes.addAndGet(-bytes);
            ofConnection.bytes.addAndGet(-bytes);
        }

        @Override
        public void streamClosed(Status status) {
            long held = undelivered.getAndSet(CLOSED);
            if (held != CLOSED) {
                giveBack(held);
            }
        }

        /** What to do when this call goes past a limit. */
        void whenOver(Consumer<Operations.Reason> action) {
            refuse = action;
            Operations.Reason reason = over.get();
            if (reason != null) {
                action.accept(reason);
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
            giveBack(message.bytes() + heapBytes(message));
        }

        private static long heapBytes(Received<?> message) {
            return (long) message.fields() * FIELD_HEAP_BYTES;
        }
    }
}
