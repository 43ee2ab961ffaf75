package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.listener.BriefMessages;
import dev.kvstore.listener.HeldBytes;
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
 * Counts received messages that are still being processed, wholly or partly received: their bytes and the heap of their
 * fields. It counts them for all calls that move blocks together, for each party and for each connection. A call that
 * would exceed one of the limits is refused, so that network memory is bounded whatever clients send. A party may hold
 * as much as is free: half, if it is alone; a third each, if two take all they can. So some is free for a new party,
 * however many others take all they can. Thread-safe.
 */
public final class InboundMeter extends ServerStreamTracer.Factory {
    /** Heap of a field that becomes an object, about: the object, its content, its entry in a list. */
    private static final int FIELD_HEAP_BYTES = 256;

    /** The calls of one connection may hold the limit divided by this. */
    private static final int CONNECTIONS_PART = 4;

    private static final String METHODS = KVStoreServiceGrpc.SERVICE_NAME + "/";
    private static final long CLOSED = Long.MIN_VALUE;
    private static final Context.Key<Gauge> GAUGE = Context.key("kvstore.inbound");

    private final long limitBytes;
    private final long leastOfParty;
    private final long limitOfConnection;
    private final HeldBytes all = new HeldBytes();

    /** The sums of the parties that have calls. */
    private final Cache<Party, HeldBytes> parties =
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

    /**
     * The bytes that one call holds. The transport adds them; the thread that has processed a message subtracts them.
     */
    public final class Gauge extends ServerStreamTracer {
        /** Bytes of a message that has not arrived whole, or {@link #CLOSED}. */
        private final AtomicLong undelivered = new AtomicLong();

        private final AtomicReference<CallAdmission.@Nullable AdmissionRefusal> over = new AtomicReference<>();
        private volatile @Nullable Consumer<CallAdmission.AdmissionRefusal> refuse;
        private volatile @Nullable Runnable arriving;
        private volatile long arrivingSince;
        private HeldBytes ofParty = new HeldBytes();
        private HeldBytes ofConnection = new HeldBytes();

        /** Counts this call also for a party and a connection. Must be called before a message is requested. */
        void belongsTo(Party party, HeldBytes connection) {
            ofParty = parties.get(party, _ -> new HeldBytes());
            ofConnection = connection;
        }

        @Override
        public Context filterContext(Context context) {
            return context.withValue(GAUGE, this);
        }

        @Override
        public void inboundWireSize(long bytes) {
            if (undelivered.get() == 0) {
                // The time is set before anybody can see an arriving message. The transport calls from one thread.
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
            long left = limitBytes - all.add(bytes);
            boolean overParty = ofParty.add(bytes) > Math.max(left, leastOfParty);
            boolean overConnection = ofConnection.add(bytes) > limitOfConnection;
            if (overParty || overConnection) {
                refuse(CallAdmission.AdmissionRefusal.INBOUND_SHARE);
            } else if (left < 0) {
                refuse(CallAdmission.AdmissionRefusal.INBOUND);
            }
        }

        private void refuse(CallAdmission.AdmissionRefusal reason) {
            over.compareAndSet(null, reason);
            Consumer<CallAdmission.AdmissionRefusal> action = refuse;
            if (action != null) {
                action.accept(reason);
            }
        }

        private void giveBack(long bytes) {
            all.add(-bytes);
            ofParty.add(-bytes);
            ofConnection.add(-bytes);
        }

        @Override
        public void streamClosed(Status status) {
            long held = undelivered.getAndSet(CLOSED);
            if (held != CLOSED) {
                giveBack(held);
            }
        }

        /** Sets the action for exceeding a limit. */
        void whenOver(Consumer<CallAdmission.AdmissionRefusal> action) {
            refuse = action;
            CallAdmission.AdmissionRefusal reason = over.get();
            if (reason != null) {
                action.accept(reason);
            }
        }

        /** Sets the action for a message that begins to arrive. */
        void whenArriving(Runnable action) {
            arriving = action;
        }

        /** How long the present message has been arriving, in nanoseconds; 0 if none is. */
        long arrivingNanos() {
            return undelivered.get() > 0 ? Math.max(1, System.nanoTime() - arrivingSince) : 0;
        }

        /** A message was handed over; its receiver must call {@link #done}. */
        public void delivered(Received<?> message) {
            int bytes = message.bytes();
            long before = undelivered.getAndUpdate(held -> held == CLOSED ? CLOSED : held - bytes);
            // Where the call was closed before, its bytes have been given back already.
            hold(heapBytes(message) + (before == CLOSED ? bytes : 0));
        }

        public void done(Received<?> message) {
            giveBack(message.bytes() + heapBytes(message));
        }

        private static long heapBytes(Received<?> message) {
            return (long) message.fields() * FIELD_HEAP_BYTES;
        }
    }
}
