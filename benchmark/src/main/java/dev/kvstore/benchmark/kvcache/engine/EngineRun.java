package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.engine.RequestQueue.QueuedRequest;
import dev.kvstore.benchmark.kvcache.engine.Served.Answering;
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
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run: requests arrive when they are meant to, whatever becomes of those before; workers serve them. For one
 * thread, and once.
 */
public final class EngineRun {
    private static final double NANOS = 1e9;
    private static final int STEPS = 10;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration AGAIN = Duration.ofSeconds(1);

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
    private final AtomicLong unsettled = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final BenchProgress progress;
    private final List<Thread> workers = new ArrayList<>();
    private volatile long windowStart;
    private volatile long windowEnd;
    private volatile boolean stopped;
    private volatile boolean givenUp;
    private long arrived;

    /**
     * The time of a run.
     *
     * @param nanos as {@link System#nanoTime}
     * @param park waits for so many nanoseconds, or for less; until then if it is woken
     */
    public record EngineTime(LongSupplier nanos, LongConsumer park) {
        public static final EngineTime SYSTEM = new EngineTime(System::nanoTime, LockSupport::parkNanos);
    }

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
        this.queue = new RequestQueue(plan.maxQueue(), time.nanos());
        this.progress = progress;
        this.time = time;
        this.scaling = scaling;
    }

    private long now() {
        return time.nanos().getAsLong();
    }

    /**
     * Runs until the window and its drain have ended, or this thread is interrupted. Requests that are in work then are
     * given up, so that the run ends as soon as its tiers have ended the pieces that they are reading and writing.
     */
    public RunFigures run() {
        long start = now();
        windowStart = start + plan.warmUp().toNanos();
        windowEnd = windowStart + plan.window().toNanos();
        Thread arrivals = Thread.ofPlatform().name("arrivals").start(() -> arrive(start));
        employ();
        Duration cpu = CpuClock.of(ProcessHandle.current());
        Ledger counted = ledger.get();
        boolean interrupted = false;
        try {
            if (plan.honest() && !plan.warmUp().isZero()) {
                progress.accept("warm-up, " + plan.warmUp().toSeconds() + " s");
                endsBefore(windowStart);
                counted = new Ledger();
                ledger.set(counted);
                cpu = CpuClock.of(ProcessHandle.current());
            }
            if (scaling == null) {
                awaitWindow();
            } else {
                scale(scaling);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        windowEnd = Math.min(windowEnd, now());
        stopped = true;
        if (plan.honest()) {
            ledger.set(new Ledger());
        }
        double used = CpuClock.of(ProcessHandle.current()).minus(cpu).toNanos() / NANOS;
        LockSupport.unpark(arrivals);
        interrupted |= join(List.of(arrivals));
        interrupted = interrupted || drain();
        interrupted |= giveUp();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new RunFigures(
                counted,
                accounts,
                queue.figures((now() - start) / NANOS),
                Math.max(0, windowEnd - (plan.honest() ? windowStart : start)) / NANOS,
                hash.hex(),
                arrived,
                used,
                interrupted,
                scaling == null ? null : scaling.figures());
    }

    /** Waits until then; whether the run has ended before. */
    private boolean endsBefore(long nanos) throws InterruptedException {
        return ended.await(Math.max(0, nanos - now()), TimeUnit.NANOSECONDS);
    }

    private void awaitWindow() throws InterruptedException {
        progress.plan(STEPS);
        for (int step = 1; step <= STEPS; step++) {
            progress.step(soFar());
            if (endsBefore(windowStart + plan.window().toNanos() / STEPS * step)) {
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
            employ();
            progress.accept(with.users() + " users, " + soFar());
            if (ends) {
                return;
            }
        }
        endsBefore(windowEnd);
    }

    private String soFar() {
        int waiting = queue.length();
        return answered.get() + " requests answered, " + Math.max(0, unsettled.get() - waiting) + " in work, " + waiting
                + " waiting";
    }

    /** From now on as many workers serve requests as there are users, or as the plan allows. */
    private void employ() {
        // As the original counts, an autoscaler's users are on paper.
        int users = scaling == null || !plan.honest() ? plan.workers() : scaling.users();
        int most = Math.min(users, plan.workers());
        while (workers.size() < most) {
            workers.add(Thread.ofPlatform().name("worker-" + workers.size()).start(this::work));
        }
        queue.employ(most);
    }

    private boolean isBusy() {
        return unsettled.get() > 0;
    }

    /**
     * Waits for late answers: honest, for those of all requests; as the original, for those of requests in work. Whether
     * this thread was asked to stop.
     */
    private boolean drain() {
        if (!plan.honest()) {
            closeQueue();
        }
        long until = now() + plan.drain().toNanos();
        if (isBusy() && !plan.drain().isZero()) {
            progress.accept(
                    "the time is up: waiting up to " + plan.drain().toSeconds() + " s for late answers, " + soFar());
        }
        try {
            while (now() < until && isBusy() && workers.stream().anyMatch(Thread::isAlive)) {
                TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void closeQueue() {
        queue.close().forEach(left -> {
            unsettled.decrementAndGet();
            settle(left.request(), left.intendedNanos(), RequestOutcome.ABANDONED);
        });
    }

    /** Ends all workers and gives their requests up; whether this thread was asked to stop. */
    private boolean giveUp() {
        closeQueue();
        ledger.set(new Ledger());
        givenUp = true;
        workers.forEach(Thread::interrupt);
        return join(workers);
    }

    /** Waits for the end of threads, and says so if that takes long; whether this thread was asked to stop meanwhile. */
    private boolean join(List<Thread> threads) {
        boolean asked = false;
        long told = System.nanoTime();
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    if (thread.join(AGAIN)) {
                        continue;
                    }
                    if (givenUp) {
                        // Some clients swallow an interrupt, and as the original counts the request goes on then.
                        threads.forEach(Thread::interrupt);
                    }
                    if (System.nanoTime() - told >= TELL_NANOS) {
                        told = System.nanoTime();
                        long left = threads.stream().filter(Thread::isAlive).count();
                        progress.accept(
                                "waiting for " + left + " workers whose last read or write their tier has not ended");
                    }
                } catch (InterruptedException e) {
                    asked = true;
                }
            }
        }
        return asked;
    }

    private void arrive(long start) {
        for (UserRequest next = requests.next(); next != null; next = requests.next()) {
            long intended = start + next.offsetNanos();
            for (long left = intended - now(); left > 0 && !stopped; left = intended - now()) {
                time.park().accept(left);
            }
            if (plan.honest() ? intended >= windowEnd : stopped) {
                return;
            }
            hash.add(next);
            arrived++;
            if (isOfWindow(intended)) {
                accounts.offered(next.user().qos());
            }
            int priority = plan.config().target(next.user().qos()).priority();
            if (stopped) {
                // The run ended before this thread came to the request. It was to arrive within the run, and nobody
                // answers it.
                settle(next, intended, RequestOutcome.ABANDONED);
                continue;
            }
            unsettled.incrementAndGet(); // before a worker can have it
            if (!queue.offer(next, priority, intended)) {
                unsettled.decrementAndGet();
                settle(next, intended, RequestOutcome.REFUSED);
            }
        }
        if (requests.ends()) {
            while (plan.honest() && !stopped && isBusy()) {
                time.park().accept(POLL_NANOS);
            }
            ended.countDown();
        }
    }

    private boolean isOfWindow(long intended) {
        return intended >= windowStart || !plan.honest();
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
                try {
                    serve(next, memory);
                } finally {
                    unsettled.decrementAndGet();
                    queue.served();
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
        long taken = now();
        try {
            Served served = serving.serve(next.request(), memory);
            double generation = next.request().generationTokens() * plan.secondsPerToken();
            if (generation > 0) {
                TimeUnit.NANOSECONDS.sleep(Math.round(generation * NANOS));
            }
            if (givenUp) {
                // As the original counts, a read that was interrupted is an answer.
                settle(next.request(), next.intendedNanos(), RequestOutcome.ABANDONED);
            } else {
                answered(next, served, generation, taken);
            }
        } catch (IOException e) {
            // The interrupt at the end fails reads and writes. Some clients do not leave the thread interrupted.
            boolean interrupted = givenUp || Thread.currentThread().isInterrupted();
            RequestOutcome outcome = interrupted ? RequestOutcome.ABANDONED : RequestOutcome.FAILED;
            settle(next.request(), next.intendedNanos(), outcome);
            if (!interrupted && isOfWindow(next.intendedNanos())) {
                accounts.failure(e);
            }
        } catch (InterruptedException e) {
            settle(next.request(), next.intendedNanos(), RequestOutcome.ABANDONED);
            throw e;
        }
    }

    private void answered(QueuedRequest next, Served served, double generation, long taken) {
        long now = now();
        UserRequest request = next.request();
        QosClass qos = request.user().qos();
        double fromArrival = (now - next.arrivedNanos()) / NANOS;
        double fromIntended = (now - next.intendedNanos()) / NANOS;
        boolean late = plan.honest() && stopped;
        answered.incrementAndGet();
        if (!isOfWindow(next.intendedNanos())) {
            return;
        }
        accounts.became(qos, late ? RequestOutcome.LATE : RequestOutcome.COMPLETED);
        accounts.fromIntended.add(fromIntended);
        accounts.fromArrival.add(fromArrival);
        if (!late) {
            Ledger current = ledger.get();
            served.count(request, generation, (taken - next.intendedNanos()) / NANOS, current);
            double endToEnd = plan.honest() ? fromIntended : fromArrival;
            current.endToEnd.add(endToEnd);
            current.of(qos).add(endToEnd);
            if (fromIntended * 1_000 <= plan.config().target(qos).p95Millis()) {
                accounts.withinTarget(qos);
            }
        }
        if (answeredOfWindow.incrementAndGet() == plan.maxRequests()) {
            ended.countDown();
        }
    }
}
