package dev.kvstore.dataplane.warming;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.jobs.JobCalls;
import dev.kvstore.dataplane.jobs.JobCalls.JobReply;
import dev.kvstore.dataplane.jobs.JobLoop;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.control.v1.ClaimRequest;
import dev.kvstore.protocol.control.v1.ClaimResponse;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc.WarmingServiceFutureStub;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Copies blocks into this region for warmings. It asks the control plane for a task every few seconds, and at once when
 * a task is done. Runs on a thread of its own, and one for each task; its counters are thread-safe.
 */
public final class Warmer implements AutoCloseable {
    /** The time between two questions without a task. Tests of whole stacks set the property, to wait less. */
    public static final Duration PERIOD = Duration.ofMillis(Long.getLong("dev.kvstore.test.warming.millis", 5_000));

    /** Tasks at a time, each of another warming, so that a waiting one delays no other. */
    static final int TASKS = 4;

    private static final Duration LAST_WORDS = Duration.ofSeconds(3);
    private static final Logger LOG = System.getLogger(Warmer.class.getName());

    /**
     * The parts that copying uses.
     *
     * @param distance latency added to calls to another region's storage, for trials
     */
    public record WarmerDependencies(
            StoreCache stores,
            VerifiedBlocks blocks,
            Presence presence,
            Tiers tiers,
            Allocator memory,
            VerifiedBlockImporter landing,
            AddedLatency distance) {}

    private final WarmerDependencies dependencies;
    private final Warmed warmed;
    private final JobCalls<WarmingServiceFutureStub> calls;
    private final CopyCounters counters = new CopyCounters();
    private final Lanes lanes;
    private final BooleanSupplier leaving;
    private final Cache<String, Allowance> allowances = Caffeine.newBuilder()
            .expireAfterAccess(Duration.ofMinutes(1))
            .executor(Runnable::run)
            .build();
    private final Map<String, Thread> tasks = new ConcurrentHashMap<>();
    private final JobLoop loop = new JobLoop("warming", this::begin, () -> PERIOD);

    /**
     * A warmer that does nothing until it is run.
     *
     * @param lease the id of this process's lease; empty while there is none
     * @param bytes of blocks that are copied at a time
     * @param busy whether the data plane is busy with clients
     * @param leaving whether the process drains
     */
    public Warmer(
            ControlPlaneReplicas plane,
            Supplier<String> lease,
            WarmerDependencies dependencies,
            Warmed warmed,
            long bytes,
            BooleanSupplier busy,
            BooleanSupplier leaving) {
        this.dependencies = dependencies;
        this.warmed = warmed;
        this.calls = new JobCalls<>(plane, lease, WarmingServiceGrpc::newFutureStub, "warming");
        this.lanes = new Lanes(bytes, busy);
        this.leaving = leaving;
    }

    /** Begins, on a virtual thread. */
    public void start() {
        loop.start();
    }

    /** Number of running tasks. */
    public int tasks() {
        return tasks.size();
    }

    /** The blocks of all tasks so far. */
    public CopyCounters counters() {
        return counters;
    }

    /** Begins a task. Answers whether there was one. */
    private boolean begin() throws InterruptedException {
        if (tasks.size() == TASKS || leaving.getAsBoolean()) {
            return false;
        }
        JobReply<ClaimResponse> reply = calls.make((stub, lease) -> stub.claim(ClaimRequest.newBuilder()
                .setLease(lease)
                .addAllWarmings(tasks.keySet())
                .build()));
        if (!(reply instanceof JobReply.Heard<ClaimResponse>(var answer)) || !answer.hasTask()) {
            return false;
        }
        Task task = answer.getTask();
        Thread worker = Thread.ofVirtual().name("warming " + task.getWarming()).unstarted(() -> run(task));
        tasks.put(task.getWarming(), worker);
        worker.start();
        return true;
    }

    static void failed(Task task, Throwable e) {
        LOG.log(Level.ERROR, "warming " + task.getWarming() + " of " + task.getResourceName() + " failed here", e);
    }

    private void run(Task task) {
        try {
            Allowance allowance = allowance(task);
            switch (task.getWorkCase()) {
                case COPYING -> copy(task, allowance);
                case LISTING -> list(task, allowance);
                case WORK_NOT_SET ->
                    LOG.log(Level.ERROR, "warming {0} wants something that this version cannot do", task.getWarming());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failed(task, e);
        } finally {
            tasks.remove(task.getWarming());
            loop.wake();
        }
    }

    /** The budget of a warming, which all its tasks share one after the other. */
    private Allowance allowance(Task task) {
        Allowance allowance = allowances.get(
                task.getWarming(),
                _ -> new Allowance(
                        task.getBudget(), Ticker.systemTicker(), pause -> TimeUnit.NANOSECONDS.sleep(pause.toNanos())));
        allowance.set(task.getBudget());
        return allowance;
    }

    private void copy(Task task, Allowance allowance) {
        BlockCopier copier = new BlockCopier(
                new BlockCopier.CopierDependencies(
                        dependencies.blocks(),
                        dependencies.presence(),
                        dependencies.tiers(),
                        dependencies.memory(),
                        dependencies.landing(),
                        warmed::add),
                new CopyEndpoints(task, dependencies.stores(), dependencies.distance()),
                task.getCopying().getPreheat(),
                allowance);
        new ChunkCopy(task, copier, allowance, lanes, calls, counters).run();
    }

    private void list(Task task, Allowance allowance) throws InterruptedException {
        new StoredListing(
                        task,
                        new CopyEndpoints(task, dependencies.stores(), dependencies.distance()),
                        dependencies.blocks(),
                        allowance,
                        calls)
                .run();
    }

    /** Gives the running tasks back. Waits a few seconds at most. */
    @Override
    public void close() {
        loop.close();
        tasks.values().forEach(Thread::interrupt);
        try {
            long end = System.nanoTime() + LAST_WORDS.toNanos();
            for (Thread task : tasks.values()) {
                boolean _ = task.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
