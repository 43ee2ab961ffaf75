package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.engine.RequestQueue.QueuedRequest;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.RequestSource;
import dev.kvstore.benchmark.kvcache.workload.StreamHash;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.CpuClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run: requests arrive when they are meant to, whatever becomes of those before; workers serve them. For one
 * thread, and once.
 */
public final class EngineRun {
    private static final double NANOS = 1e9;
    private static final int STEPS = 10;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    // The original joins each of its threads for so long.
    private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final RunPlan plan;
    private final RequestSource requests;
    private final Answering serving;
    private final EngineTime time;
    private final @Nullable Scaling scaling;
    private final AtomicReference<Ledger> ledger;
    private final RequestQueue queue;
    private final RequestLedger accounts = new RequestLedger();
    private final StreamHash hash = new StreamHash();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong answeredOfWindow = new AtomicLong();
    private final AtomicLong underWay = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final BenchProgress progress;

    private volatile long windowStart;
    private volatile long windowEnd;
    private volatile boolean stopped;
    private volatile boolean givenUp;
    private long arrived;

    /**
     * A run.
     *
     * @param ledger where {@code serving} counts
     * @param scaling of the users of {@code requests}; null if they stay
     */
    public EngineRun(
            RunPlan plan,
            RequestSource requests,
            Answering serving,
            AtomicReference<Ledger> ledger,
            BenchProgress progress,
            EngineTime time,
            @Nullable Scaling scaling) {
        this.plan = plan;
        this.requests = requests;
        this.serving = serving;
        this.ledger = ledger;
        this.queue = new RequestQueue(plan.maxQueue(), time);
        this.progress = progress;
        this.time = time;
        this.scaling = scaling;
    }

    /** Runs until the window and its drain have ended, or this thread is interrupted. */
    public RunFigures run() {
        long start = time.nanos();
        windowStart = start + plan.warmUp().toNanos();
        windowEnd = windowStart + plan.window().toNanos();
        Thread arrivals = Thread.ofPlatform().name("arrivals").start(() -> arrive(start));
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < plan.workers(); i++) {
            workers.add(Thread.ofPlatform().name("worker-" + i).start(this::work));
        }
        boolean interrupted = false;
        Duration cpu = CpuClock.of(ProcessHandle.current());
        Ledger counted = ledger.get();
        try {
            if (plan.honest() && !plan.warmUp().isZero()) {
                progress.accept("warm-up, " + plan.warmUp().toSeconds() + " s");
                endsBefore(windowStart);
                counted = new Ledger();
                ledger.set(counted);
                cpu = CpuClock.of(ProcessHandle.current());
            }
            awaitWindow();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        windowEnd = Math.min(windowEnd, time.nanos());
        stopped = true;
        if (plan.honest()) {
            ledger.set(new Ledger());
        }
        double used = CpuClock.of(ProcessHandle.current()).minus(cpu).toNanos() / NANOS;
        LockSupport.unpark(arrivals);
        join(arrivals, Long.MAX_VALUE / 2);
        interrupted |= drain(workers, interrupted);
        List<QueuedRequest> left = close(workers);
        long now = time.nanos();
        double oldest =
                left.stream().mapToLong(one -> now - one.arrivedNanos()).max().orElse(0) / NANOS;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new RunFigures(
                counted,
                accounts,
                queue.figures((now - start) / NANOS, oldest),
                Math.max(0, windowEnd - (plan.honest() ? windowStart : start)) / NANOS,
                hash.hex(),
                arrived,
                used,
                interrupted,
                scaling == null ? null : scaling.figures());
    }

    /** Waits until then; whether the run has ended before. */
    private boolean endsBefore(long nanos) throws InterruptedException {
        return ended.await(Math.max(0, nanos - time.nanos()), TimeUnit.NANOSECONDS);
    }

    private void awaitWindow() throws InterruptedException {
        if (scaling != null) {
            scale(scaling);
            return;
        }
        long length = plan.window().toNanos();
        progress.plan(STEPS);
        for (int step = 1; step <= STEPS; step++) {
            progress.step(answered.get() + " requests answered, " + queue.length() + " waiting");
            if (endsBefore(windowStart + length / STEPS * step)) {
                return;
            }
        }
    }

    private void scale(Scaling with) throws InterruptedException {
        long each = with.interval().toNanos();
        for (long until = windowStart + each; until <= windowEnd; until += each) {
            long waiting = 0;
            for (int left = with.samples() - 1; left >= 0; left--) {
                if (endsBefore(until - each / with.samples() * left)) {
                    return;
                }
                waiting += queue.length();
            }
            boolean ends = with.sample(ledger.get(), (double) waiting / with.samples(), (until - windowStart) / NANOS);
            progress.accept(with.figures().finalUsers() + " users, " + answered.get() + " requests answered, "
                    + queue.length() + " waiting");
            if (ends) {
                return;
            }
        }
        endsBefore(windowEnd);
    }

    /** Whether this thread was asked to stop. */
    private boolean drain(List<Thread> workers, boolean interrupted) {
        if (!plan.honest() || interrupted) {
            return false;
        }
        long until = time.nanos() + plan.drain().toNanos();
        try {
            while (time.nanos() < until
                    && (queue.length() > 0 || underWay.get() > 0)
                    && workers.stream().anyMatch(Thread::isAlive)) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Ends all workers, each after the request that it serves; the requests that nobody took. */
    private List<QueuedRequest> close(List<Thread> workers) {
        List<QueuedRequest> left = queue.close();
        left.forEach(one -> settle(one, RequestOutcome.ABANDONED));
        if (plan.honest()) {
            givenUp = true;
            workers.forEach(Thread::interrupt);
        }
        long until = System.nanoTime() + JOIN_NANOS * workers.size();
        for (Thread worker : workers) {
            join(worker, plan.honest() ? Long.MAX_VALUE / 2 : Math.max(1, until - System.nanoTime()));
        }
        return left;
    }

    private static void join(Thread thread, long nanos) {
        boolean asked = false;
        long until = System.nanoTime() + nanos;
        while (thread.isAlive() && System.nanoTime() < until) {
            try {
                thread.join(Duration.ofNanos(Math.min(JOIN_NANOS, until - System.nanoTime())));
            } catch (InterruptedException e) {
                asked = true;
            }
        }
        if (asked) {
            Thread.currentThread().interrupt();
        }
    }

    private void arrive(long start) {
        for (UserRequest next = requests.next(); next != null; next = requests.next()) {
            long intended = start + next.offsetNanos();
            await(intended);
            if (plan.honest() ? intended >= windowEnd : stopped) {
                return;
            }
            hash.add(next);
            arrived++;
            if (isOfWindow(intended)) {
                accounts.offered(next.user().qos());
            }
            RequestOutcome missed = offer(next, intended);
            if (missed != null) {
                settle(next, intended, missed);
            }
        }
        if (requests.ends()) {
            endWhenAllIsAnswered();
        }
    }

    private void endWhenAllIsAnswered() {
        while (plan.honest() && !stopped && (queue.length() > 0 || underWay.get() > 0)) {
            time.park().accept(POLL_NANOS);
        }
        ended.countDown();
    }

    private void await(long intended) {
        for (long left = intended - time.nanos(); left > 0 && !stopped; left = intended - time.nanos()) {
            time.park().accept(left);
        }
    }

    /**
     * Null if it waits now. What this thread was too late for was meant to arrive all the same, and nobody answers it.
     */
    private @Nullable RequestOutcome offer(UserRequest request, long intended) {
        if (stopped) {
            return RequestOutcome.ABANDONED;
        }
        int priority = plan.config().target(request.user().qos()).priority();
        return queue.offer(request, priority, intended) ? null : RequestOutcome.REFUSED;
    }

    private boolean isOfWindow(long intended) {
        return intended >= windowStart || !plan.honest();
    }

    private void settle(QueuedRequest request, RequestOutcome outcome) {
        settle(request.request(), request.intendedNanos(), outcome);
    }

    private void settle(UserRequest request, long intended, RequestOutcome outcome) {
        if (isOfWindow(intended)) {
            accounts.became(request.user().qos(), outcome);
        }
    }

    private void work() {
        Scratch memory = new Scratch();
        try {
            for (QueuedRequest next = queue.take(); next != null; next = queue.take()) {
                underWay.incrementAndGet();
                try {
                    serve(next, memory);
                } finally {
                    underWay.decrementAndGet();
                }
                if (stopped && !plan.honest()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // The run is over.
        } catch (RuntimeException | Error e) {
            // The report says that a worker has ended, and why: its request has no outcome.
            accounts.failure(e);
        }
    }

    private void serve(QueuedRequest next, Scratch memory) throws InterruptedException {
        Served served;
        long taken = time.nanos();
        try {
            served = serving.serve(next.request(), memory);
        } catch (IOException e) {
            // The interrupt at the end fails what is read or written. Some clients do not leave the thread interrupted.
            boolean interrupted = givenUp || Thread.currentThread().isInterrupted();
            settle(next, interrupted ? RequestOutcome.ABANDONED : RequestOutcome.FAILED);
            if (!interrupted && isOfWindow(next.intendedNanos())) {
                accounts.failure(e);
            }
            return;
        } catch (InterruptedException e) {
            settle(next, RequestOutcome.ABANDONED);
            throw e;
        }
        answered(next, served, taken, time.nanos());
    }

    private void answered(QueuedRequest next, Served served, long taken, long now) {
        UserRequest request = next.request();
        QosClass qos = request.user().qos();
        double fromArrival = (now - next.arrivedNanos()) / NANOS;
        double fromIntended = (now - next.intendedNanos()) / NANOS;
        boolean late = plan.honest() && stopped;
        settle(next, late ? RequestOutcome.LATE : RequestOutcome.COMPLETED);
        if (isOfWindow(next.intendedNanos())) {
            accounts.fromIntended.add(fromIntended);
            accounts.fromArrival.add(fromArrival);
            if (!late) {
                Ledger current = ledger.get();
                served.count(request, (taken - next.intendedNanos()) / NANOS, current);
                double endToEnd = plan.honest() ? fromIntended : fromArrival;
                current.endToEnd.add(endToEnd);
                current.of(qos).add(endToEnd);
                if (fromIntended * 1_000 <= plan.config().target(qos).p95Millis()) {
                    accounts.withinTarget(qos);
                }
            }
        }
        answered.incrementAndGet();
        if (isOfWindow(next.intendedNanos()) && answeredOfWindow.incrementAndGet() == plan.maxRequests()) {
            ended.countDown();
        }
    }
}
