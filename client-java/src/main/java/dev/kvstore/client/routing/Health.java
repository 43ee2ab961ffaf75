package dev.kvstore.client.routing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether to use a process, by what came of using it: an outlier detection in Envoy's manner. A failure ejects it, the
 * n-th in a row for n times {@link RoutingRules#EJECTION_BASE}; then one operation at a time tries it, and the first
 * answer makes it whole. Times are nanoseconds of one clock. Thread-safe.
 */
public final class Health {
    /** What may be sent to a process. */
    public enum State {
        /** Anything. */
        WHOLE,
        /** One operation at a time, to try it: {@link #beginTrial}. */
        ON_TRIAL,
        /** Nothing. */
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

    /** Takes the one place of an operation that tries the process; give it back with {@link #endTrial}. */
    public boolean beginTrial() {
        return trial.compareAndSet(false, true);
    }

    public void endTrial() {
        trial.set(false);
    }

    /**
     * It answered an operation that began then. What began before the last failure says nothing: a process that stops
     * finishes what it has and takes no more.
     *
     * @return whether it was ejected until now
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

    /** Whether it began before something that has shown since that the process is well, or is another. */
    private boolean isOld(long began) {
        Long since = news.get();
        return since != null && began - since < 0;
    }

    /**
     * An operation that began then failed there in a way that others may not. What fails together counts once; what began
     * before the process came back, or before it was another, says nothing.
     *
     * @param unreachable whether it was not the process that said so
     * @return whether it is ejected by this
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
     * An operation that began then met its own deadline and not a byte had come. Less than
     * {@link RoutingRules#TIMEOUT_LEAST} says nothing: no process can be so fast.
     *
     * @return whether the process is ejected by this
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

    /** It is another process from now on: nothing is known of it, nor said by what began before. */
    public void forget(long now) {
        news.set(now);
        ejection.set(Ejection.NONE);
        timeouts.set(0);
    }

    /** Failures in a row, 0 if it is whole. The fewer, the less bad. */
    public int ejections() {
        return ejection.get().times();
    }

    /** Whether it was last seen not to be there at all. */
    boolean unreachable() {
        return ejection.get().unreachable();
    }
}
