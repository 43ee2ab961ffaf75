package dev.kvstore.control.transport;

import dev.kvstore.listener.BriefCall;
import dev.kvstore.listener.FairSlots;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Starts calls whose credential is good. Each kind of call has its slots, which tenants and clusters share ({@link
 * FairSlots}): a party below its equal share begins a call in any case, a party above it only while there is room. A
 * call whose request does not arrive in time is ended. A call has its slot until its answer has gone out, since an
 * answer that nobody reads stays in memory. Thread-safe.
 */
@Singleton
public final class CallSlots {
    private final Map<CallKind, KindSlots> kinds = new EnumMap<>(CallKind.class);

    /** Makes slots, all of which are free. */
    public CallSlots() {
        for (CallKind kind : CallKind.values()) {
            kinds.put(kind, new KindSlots(new ReentrantLock(), new FairSlots<>(kind.open(), 0)));
        }
    }

    /** The slots of a kind. */
    private record KindSlots(ReentrantLock lock, FairSlots<TakenSlot> slots) {
        boolean take(Object group) {
            lock.lock();
            try {
                FairSlots.SlotHolder<TakenSlot> holder = slots.holder(group);
                boolean admitted = slots.admits(holder);
                if (admitted) {
                    slots.began(holder);
                }
                slots.release(holder);
                return admitted;
            } finally {
                lock.unlock();
            }
        }

        void giveBack(Object group) {
            lock.lock();
            try {
                FairSlots.SlotHolder<TakenSlot> holder = slots.holder(group);
                slots.ended(holder);
                slots.release(holder);
            } finally {
                lock.unlock();
            }
        }
    }

    /** A slot that is given back once, however a call ends. */
    private record TakenSlot(KindSlots of, Object group, AtomicBoolean taken) {
        void giveBack() {
            if (taken.getAndSet(false)) {
                of.giveBack(group);
            }
        }
    }

    /**
     * Starts a call, or refuses it.
     *
     * @param group the tenant or the cluster for which the call counts, see {@link CallerGroup}
     */
    public <Q, R> ServerCall.Listener<Q> start(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next, CallerGroup group) {
        CallKind kind = CallKind.of(call.getMethodDescriptor().getFullMethodName());
        KindSlots of = kinds.get(kind);
        if (of == null || !of.take(group)) {
            return refuse(call, Exhausted.because("too many calls of this kind are open"));
        }
        TakenSlot slot = new TakenSlot(of, group, new AtomicBoolean(true));
        boolean started = false;
        try {
            ServerCall.Listener<Q> listener = BriefCall.start(call, headers, next, kind.bounds(), () -> {});
            started = true;
            return new SlotListener<>(listener, slot);
        } finally {
            if (!started) {
                slot.giveBack();
            }
        }
    }

    /** The refusal of a call whose connection could not be admitted. */
    public static StatusRuntimeException noConnectionLeft() {
        return Status.UNAVAILABLE
                .withDescription("the server has as many connections as it may")
                .asRuntimeException();
    }

    /** Ends a call that was not started. */
    public static <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call, StatusRuntimeException refusal) {
        Metadata trailers = refusal.getTrailers();
        call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
        return new ServerCall.Listener<>() {};
    }

    private static final class SlotListener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final TakenSlot slot;

        SlotListener(ServerCall.Listener<Q> listener, TakenSlot slot) {
            super(listener);
            this.slot = slot;
        }

        @Override
        public void onCancel() {
            slot.giveBack();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            slot.giveBack();
            super.onComplete();
        }
    }
}
