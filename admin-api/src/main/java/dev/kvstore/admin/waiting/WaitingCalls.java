package dev.kvstore.admin.waiting;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Makes calls wait until the state that they ask for is reached. A call reads when it begins, whenever it is woken, at
 * least once in {@link #READ_AGAIN}, and when its time is over; between two reads it holds nothing but a virtual
 * thread. Thread-safe.
 */
@Singleton
public final class WaitingCalls {
    static final int MOST = 200;

    /**
     * Most waiting calls of one tenant, or of one caller of the whole platform: only four such tenants together can
     * take all.
     */
    static final int MOST_OF_ONE = 50;

    /** The longest time between two reads: some changes wake no call, and a wake-up may be lost. */
    private static final Duration READ_AGAIN = Duration.ofSeconds(1);

    private final PartyPlaces places;
    private final long readAgainNanos;
    private final LongSupplier nanos;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    private record Waiter(String subject, Semaphore woken) {}

    @Inject
    WaitingCalls() {
        this(new PartyPlaces(MOST, MOST_OF_ONE), READ_AGAIN, System::nanoTime);
    }

    /** @param nanos a clock that only goes forward, such as {@link System#nanoTime} */
    WaitingCalls(PartyPlaces places, Duration readAgain, LongSupplier nanos) {
        this.places = places;
        this.readAgainNanos = readAgain.toNanos();
        this.nanos = nanos;
    }

    /**
     * Reads until the value is as the caller wants it, or the caller's time is over.
     *
     * @param caller the caller of the call
     * @param subject the name by which the call is woken
     * @param time zero to read once
     * @param read reads the value; must hold no connection to the database when it returns
     * @return the value that was read last
     * @throws ProblemException if too many calls wait already, of all or of this caller
     */
    public <T> T until(Caller caller, String subject, Duration time, Supplier<T> read, Predicate<T> wanted) {
        if (time.isZero()) {
            return read.get();
        }
        if (!places.take(caller.party(), Duration.ZERO)) {
            throw ProblemException.of(
                    ProblemKind.CROWDED,
                    "too many calls wait already, of all callers or of yours: ask without wait, or again in a second");
        }
        Waiter waiter = new Waiter(subject, new Semaphore(0));
        waiters.add(waiter);
        try {
            return until(waiter, nanos.getAsLong() + time.toNanos(), read, wanted);
        } finally {
            waiters.remove(waiter);
            places.giveBack(caller.party());
        }
    }

    private <T> T until(Waiter waiter, long end, Supplier<T> read, Predicate<T> wanted) {
        while (true) {
            T now = read.get();
            long left = end - nanos.getAsLong();
            if (left <= 0 || stopping || wanted.test(now)) {
                return now;
            }
            try {
                var _ = waiter.woken.tryAcquire(Math.min(left, readAgainNanos), TimeUnit.NANOSECONDS);
                waiter.woken.drainPermits();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return now;
            }
        }
    }

    /** Makes the calls that wait for one of these subjects read again. */
    public void wake(Set<String> subjects) {
        waiters.stream()
                .filter(waiter -> subjects.contains(waiter.subject()))
                .forEach(waiter -> waiter.woken.release());
    }

    /** Makes all waiting calls read again. */
    public void wakeAll() {
        waiters.forEach(waiter -> waiter.woken.release());
    }

    /** Ends the waiting calls, which are answered with the present value. */
    void stop(@Observes ShutdownEvent stopped) {
        stopping = true;
        wakeAll();
    }

    /** The number of waiting calls. */
    int waiting() {
        return waiters.size();
    }
}
