package dev.kvstore.dataplane.call;

import com.google.protobuf.MessageLite;
import dev.kvstore.listener.CoarseTimer;
import dev.kvstore.protocol.wire.Received;
import io.grpc.ServerCall;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The received messages and events of one call, for the one virtual thread that serves it. The transport adds them and
 * never waits. At most {@link #CREDIT} messages wait here, since this asks the transport for another one only when one
 * was taken.
 */
public final class CallInput<Q extends MessageLite> extends ServerCall.Listener<Received<Q>> {
    /** Messages asked for in advance: enough that the next one is here when the last one was processed. */
    private static final int CREDIT = 2;

    /** A call that waits for its client for longer than this gives up its slot meanwhile. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** A call without work holds nothing, and may wait for as long as its connection lives. */
    private static final Duration IDLE = Duration.ofDays(365);

    private final ServerCall<Received<Q>, ?> call;
    private final InboundMeter.@Nullable Gauge gauge;
    private final CallAdmission.CallSlot slot;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Received<Q>> messages = new ArrayDeque<>(CREDIT);
    private final List<Runnable> whenClosed = new ArrayList<>(1);
    private volatile @Nullable Runnable ready;
    private volatile @Nullable BooleanSupplier atOnce;
    private @Nullable Runnable work;
    private boolean signalled;
    private boolean halfClosed;
    private boolean closed;
    private boolean cancelled;
    private CallAdmission.@Nullable AdmissionRefusal closing;
    private @Nullable Timeout alarm;
    private long alarmNanos;

    private CallInput(ServerCall<Received<Q>, ?> call, CallAdmission admission, Executor executor) {
        this.call = call;
        this.gauge = InboundMeter.current();
        this.slot = admission.place(Authentication.party(), this::endWaiting, this::whenClosed);
        this.executor = executor;
    }

    /**
     * The input of the call that is being started; null if the call was refused, which costs no thread and no memory.
     */
    public static <Q extends MessageLite> @Nullable CallInput<Q> open(
            ServerCall<Received<Q>, ?> call, CallAdmission admission, Executor executor) {
        CallInput<Q> input = new CallInput<>(call, admission, executor);
        if (input.slot.open()) {
            return input;
        }
        CallFailures.close(call, admission.refusal(CallAdmission.AdmissionRefusal.OPERATIONS));
        return null;
    }

    /** The call's slot. */
    public CallAdmission.CallSlot slot() {
        return slot;
    }

    /** A listener for a call that was refused: it ignores everything. */
    public static <Q> ServerCall.Listener<Q> deaf() {
        return new ServerCall.Listener<>() {};
    }

    /** Serves the call on a thread of its own, from its first message or event on. */
    public void serve(Runnable task) {
        serve(task, null);
    }

    /**
     * Serves a call of one message. When the message has arrived whole and nothing follows, {@code atOnce} serves it on
     * the transport's thread. If {@code atOnce} declines, or the message takes long to arrive, {@code task} serves it
     * on a thread of its own.
     *
     * @param atOnce answers the call and returns true, or returns false without having done anything; must not wait
     */
    void serveOne(BooleanSupplier atOnce, Runnable task) {
        serve(task, atOnce);
    }

    private void serve(Runnable task, @Nullable BooleanSupplier atOnce) {
        this.atOnce = atOnce;
        boolean[] late = {false};
        change(() -> {
            late[0] = closing != null || closed;
            work = late[0] ? null : task;
        });
        if (late[0]) {
            CallFailures.close(call, slot.refusal(CallAdmission.AdmissionRefusal.WAITING));
            return;
        }
        if (gauge != null) {
            gauge.whenOver(reason -> {
                change(() -> closing = reason);
                heard();
            });
            gauge.whenArriving(this::arriving);
        }
        call.request(CREDIT);
    }

    private void arriving() {
        if (atOnce == null) {
            wake();
            heard();
        } else if (!slot.run()) {
            refuse();
        } else {
            // Mostly the message has arrived whole before a thread could look.
            Timeout late = CoarseTimer.in(GRACE, this::heard);
            whenClosed(late::cancel);
        }
    }

    private void heard() {
        Runnable task = takeWork();
        if (task == null) {
            return;
        }
        if (!slot.run()) {
            slot.leave();
            CallFailures.close(call, slot.refusal(CallAdmission.AdmissionRefusal.OPERATIONS));
        } else if (isAnsweredAtOnce()) {
            slot.leave();
        } else {
            executor.execute(() -> {
                try {
                    task.run();
                } finally {
                    slot.leave();
                }
            });
        }
    }

    private boolean isAnsweredAtOnce() {
        BooleanSupplier way = atOnce;
        return way != null && hasRequest() && way.getAsBoolean();
    }

    private void refuse() {
        if (takeWork() != null) {
            slot.leave();
            CallFailures.close(call, slot.refusal(CallAdmission.AdmissionRefusal.OPERATIONS));
        }
    }

    private @Nullable Runnable takeWork() {
        lock.lock();
        try {
            Runnable task = work;
            work = null;
            return task;
        } finally {
            lock.unlock();
        }
    }

    /** Ends this idle call, since there are too many idle calls. */
    private void endWaiting() {
        change(() -> closing = CallAdmission.AdmissionRefusal.WAITING);
        Runnable unserved = takeWork();
        if (unserved != null) {
            CallFailures.close(call, slot.refusal(CallAdmission.AdmissionRefusal.WAITING));
        }
    }

    @Override
    public void onMessage(Received<Q> message) {
        if (gauge != null) {
            gauge.delivered(message);
        }
        boolean[] late = {false};
        change(() -> {
            late[0] = closed;
            if (!closed) {
                messages.addLast(message);
            }
        });
        if (late[0]) {
            done(message);
        } else if (atOnce == null || hasMoreThanRequest()) {
            heard();
        }
    }

    @Override
    public void onHalfClose() {
        change(() -> halfClosed = true);
        heard();
    }

    @Override
    public void onReady() {
        Runnable action = ready;
        if (action == null) {
            wake();
        } else {
            action.run();
        }
    }

    /**
     * Sets the action to run when the transport is ready for more, instead of waking the serving thread. Must be called
     * before the call is served.
     */
    void whenReady(Runnable action) {
        ready = action;
    }

    @Override
    public void onCancel() {
        change(() -> cancelled = true);
        close();
    }

    @Override
    public void onComplete() {
        close();
    }

    private void close() {
        if (takeWork() != null) {
            slot.leave();
        }
        List<Received<Q>> left = new ArrayList<>();
        List<Runnable> hooks = new ArrayList<>();
        change(() -> {
            closed = true;
            if (alarm != null) {
                alarm.cancel();
            }
            left.addAll(messages);
            messages.clear();
            hooks.addAll(whenClosed);
            whenClosed.clear();
        });
        left.forEach(this::done);
        hooks.forEach(Runnable::run);
    }

    /** Runs an action when the transport has closed this call; at once if it has already. */
    public void whenClosed(Runnable action) {
        boolean[] now = {false};
        change(() -> {
            now[0] = closed;
            if (!closed) {
                whenClosed.add(action);
            }
        });
        if (now[0]) {
            action.run();
        }
    }

    /** Wakes the serving thread. */
    public void wake() {
        change(() -> {});
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            signalled = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next message, which the caller gives back by {@link #done}; null if none has arrived.
     *
     * @throws CallRefusal if the call was idle and finds no slot now
     */
    @Nullable
    public Received<Q> poll() throws CallRefusal {
        lock.lock();
        try {
            if (messages.isEmpty()) {
                return null;
            }
            if (!slot.run()) {
                throw closing == null ? slot.noRoom() : slot.refusal(closing);
            }
            call.request(1);
            return messages.removeFirst();
        } finally {
            lock.unlock();
        }
    }

    /** The next message, without taking it; null if none has arrived. */
    @Nullable
    Received<Q> peek() {
        lock.lock();
        try {
            return messages.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Gives back a message's network memory. */
    public void done(Received<Q> message) {
        message.close();
        if (gauge != null) {
            gauge.done(message);
        }
    }

    /** Waits, with its slot, until anything has happened since the last wait. */
    public void await() throws InterruptedException {
        await(IDLE);
    }

    /** Waits like {@link #await()}; false if nothing happened within this time, or up to 200 ms more. */
    public boolean await(Duration patience) throws InterruptedException {
        return happened(awaitUntil(() -> signalled, patience));
    }

    /**
     * Waits like {@link #await(Duration)}, for something that the client must send. After {@link #GRACE} the call gives
     * up its slot.
     */
    public boolean awaitClient(Duration patience) throws InterruptedException {
        return happened(awaitClient(() -> signalled, patience));
    }

    /** Waits like {@link #await()}, for a call without work, which holds no memory and becomes idle. */
    public void awaitIdle() throws InterruptedException {
        var _ = slot.pause();
        await();
    }

    /** Waits, without its slot, for this time or until anything has happened. */
    public void awaitTurn(Duration time) throws InterruptedException {
        boolean paused = slot.pause();
        try {
            boolean _ = happened(awaitExactly(() -> signalled, time));
        } finally {
            if (paused) {
                slot.resume();
            }
        }
    }

    private boolean happened(boolean happened) {
        lock.lock();
        try {
            signalled = false;
            return happened;
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitClient(BooleanSupplier condition, Duration patience) throws InterruptedException {
        Duration grace = patience.compareTo(GRACE) < 0 ? patience : GRACE;
        if (awaitUntil(condition, grace)) {
            return true;
        }
        boolean paused = slot.pause();
        try {
            return awaitUntil(condition, patience.minus(grace));
        } finally {
            if (paused) {
                slot.resume();
            }
        }
    }

    /**
     * Gives up the slot, just before the call is closed, so that a client which sees the end can begin another call.
     */
    public void answered() {
        slot.leave();
    }

    /** How much longer a message that has begun to arrive may take; null if none has begun. */
    @Nullable
    public Duration arrivingWithin(Duration limit) {
        long arriving = gauge == null ? 0 : gauge.arrivingNanos();
        return arriving == 0 ? null : limit.minusNanos(arriving);
    }

    /**
     * Waits until the transport is ready for more; false if it was not within this time, or this idle call must end for
     * others.
     */
    public boolean awaitReady(Duration patience) throws InterruptedException {
        return awaitTaken(call::isReady, patience) && (call.isReady() || isClosed());
    }

    /**
     * Waits until the client has read as much as a condition asks for, until the call is closed, or until this idle
     * call must end for others; false if none of these happened within this time.
     */
    boolean awaitTaken(BooleanSupplier condition, Duration patience) throws InterruptedException {
        return awaitClient(
                () -> condition.getAsBoolean() || closed || closing == CallAdmission.AdmissionRefusal.WAITING,
                patience);
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the transport has closed the call; false if it did not within this time. */
    boolean awaitClosed(Duration patience) throws InterruptedException {
        return awaitUntil(() -> closed, patience);
    }

    /**
     * Waits for a condition; false once the time has run out, or up to 200 ms later. A wait with an end of its own
     * would wake another thread each time.
     */
    private boolean awaitUntil(BooleanSupplier condition, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                if (patience.compareTo(IDLE) < 0) {
                    alarmBy(end, left);
                }
                changed.await();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes the waiting thread look again at a time. An earlier alarm that is set already stays, so that frequent waits
     * set few alarms.
     */
    private void alarmBy(long end, long left) {
        if (alarm != null && alarmNanos - end <= 0) {
            return;
        }
        if (alarm != null) {
            alarm.cancel();
        }
        alarmNanos = end;
        alarm = CoarseTimer.in(Duration.ofNanos(left), this::alarmed);
    }

    private void alarmed() {
        lock.lock();
        try {
            alarm = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitExactly(BooleanSupplier condition, Duration time) throws InterruptedException {
        long nanos = time.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = changed.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the message of a unary call is here, and nothing follows. */
    boolean hasRequest() {
        lock.lock();
        try {
            return halfClosed && messages.size() == 1;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a unary call has sent more than one message. */
    boolean hasMoreThanRequest() {
        lock.lock();
        try {
            return messages.size() > 1;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the client has half-closed the call: it sends nothing more. */
    public boolean isHalfClosed() {
        lock.lock();
        try {
            return halfClosed && messages.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the call was cancelled, so that nobody waits for an answer. */
    public boolean isCancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    /** Why this call accepts no more messages; null if it does. */
    @Nullable
    public CallRefusal closing() {
        CallAdmission.AdmissionRefusal reason;
        lock.lock();
        try {
            reason = closing;
        } finally {
            lock.unlock();
        }
        return reason == null ? null : slot.refusal(reason);
    }
}
