package dev.kvstore.client.internal.routing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The health of a data plane, from the outcomes of operations there (outlier detection, as in Envoy). A failure ejects
 * the data plane, the n-th one in a row for n times {@link RoutingRules#EJECTION_BASE}. Then one operation at a time
 * tries it, and the first answer makes it whole again. Times are nanoseconds of one clock. Thread-safe.
 */
public final class Health {
    /** The operations that may go to the data plane. */
    public enum State {
        /** Any operation may go there. */
        WHOLE,
        /** One operation at a time tries the data plane: {@link #beginTrial}. */
        ON_TRIAL,
        /** No operation goes there. */
        EJECTED
    }

    private record Ejection(int times, long since, long until, boolean unreachable) {
        static final Ejection NONE = new Ejection(0, 0, 0, false);
    }

    private final AtomicReference<Ejection> ejection = new AtomicReference<>(Ejection.NONE);
    private final AtomicReference<@Nullable Long> news = new AtomicReference<>();
    private final AtomicInteger timeouts = new AtomicInteger();
    private final AtomicBoolean trial = new AtomicBoolean();

    public State state(long now) {
        Ejection last = ejection.get();
        if (last.times() == 0) {
            return State.WHOLE;
        }
        return now - last.until() < 0 ? State.EJECTED : State.ON_TRIAL;
    }

    /** Begins the trial; false if another operation tries the data plane already. {@link #endTrial} must follow. */
    public boolean beginTrial() {
        return trial.compareAndSet(false, true);
    }

    public void endTrial() {
        trial.set(false);
    }

    /**
     * Notes that the data plane answered an operation that began at a given time. An operation that began before the
     * last failure does not count: a data plane that stops still finishes its open operations.
     *
     * @return whether the data plane was ejected until now
     */
    public boolean answered(long began) {
        if (isOld(began)) {
            return false;
        }
        timeouts.set(0);
        Ejection last = ejection.get();
        if (last.times() == 0 || began - last.since() < 0) {
            return false;
        }
        news.set(began);
        return ejection.compareAndSet(last, Ejection.NONE);
    }

    /** Whether an operation began before the data plane was last seen to work, or was replaced. */
    private boolean isOld(long began) {
        Long since = news.get();
        return since != null && began - since < 0;
    }

    /**
     * Notes that an operation that began at a given time failed in a way that may not happen elsewhere. Operations that
     * fail together count once. An operation that began before the data plane came back, or was replaced, does not
     * count.
     *
     * @param unreachable whether the data plane could not be reached, so that the failure is not its answer
     * @return whether this ejects the data plane
     */
    public boolean failed(long began, long now, boolean unreachable) {
        Ejection last = ejection.get();
        if (isOld(began)) {
            return false;
        }
        if (last.times() > 0 && (began - last.since() < 0 || now - last.until() < 0)) {
            return false;
        }
        int times = last.times() + 1;
        Duration length = RoutingRules.EJECTION_BASE.multipliedBy(times);
        if (length.compareTo(RoutingRules.EJECTION_MOST) > 0) {
            length = RoutingRules.EJECTION_MOST;
        }
        return ejection.compareAndSet(last, new Ejection(times, now, now + length.toNanos(), unreachable));
    }

    /**
     * Notes that an operation that began at a given time met its deadline before a byte came. The operation does not
     * count if its deadline was less than {@link RoutingRules#TIMEOUT_LEAST}.
     *
     * @return whether this ejects the data plane
     */
    public boolean timedOut(long began, long now) {
        if (isOld(began) || now - began < RoutingRules.TIMEOUT_LEAST.toNanos()) {
            return false;
        }
        if (timeouts.incrementAndGet() < RoutingRules.TIMEOUTS_TO_EJECT) {
            return false;
        }
        timeouts.set(0);
        return failed(began, now, false);
    }

    /**
     * Forgets the health of a data plane that was replaced by another process; operations that began before do not
     * count.
     */
    public void forget(long now) {
        news.set(now);
        ejection.set(Ejection.NONE);
        timeouts.set(0);
    }

    /** The number of failures in a row; 0 if the data plane is whole. */
    public int ejections() {
        return ejection.get().times();
    }

    /** Whether the data plane could not be reached at the last failure. */
    boolean unreachable() {
        return ejection.get().unreachable();
    }
}
