package dev.kvstore.dataplane.purge;

import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.protocol.control.v1.ClaimDeletionRequest;
import dev.kvstore.protocol.control.v1.Deletion;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import io.grpc.Status;
import io.grpc.StatusException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Purges blocks: one thread learns of purges and forgets their blocks in memory; another deletes them in storage while
 * a purge is under way.
 */
public final class Purger implements AutoCloseable {
    /** The time between two questions without a running purge. Tests of whole stacks set the property, to wait less. */
    public static final Duration PERIOD = Duration.ofMillis(Long.getLong("dev.kvstore.test.purge.millis", 5_000));

    /**
     * The time between two questions while a purge is under way, and until the first answer, before which no block on
     * disk is served.
     */
    private static final Duration SOON = PERIOD.compareTo(Duration.ofMillis(500)) < 0 ? PERIOD : Duration.ofMillis(500);

    /** The time between two looks for a lease, which cost no call. */
    private static final Duration JOINING = Duration.ofMillis(50);

    private static final Duration DEADLINE = Duration.ofSeconds(4);

    /** A claim that could not be renewed for this long has passed to another data plane. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(60);

    private static final Duration LAST_STEPS = Duration.ofSeconds(3);
    private static final Logger LOG = System.getLogger(Purger.class.getName());

    private final ControlPlaneReplicas plane;
    private final Supplier<String> lease;
    private final PurgeRules rules;
    private final StoreCache stores;
    private final VerifiedBlocks blocks;
    private final PurgeFollower follower;
    private final LongAdder deleted = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /**
     * A purger that does nothing until it is started.
     *
     * @param lease the id of this process's lease; empty while there is none
     */
    public Purger(
            ControlPlaneReplicas plane,
            Supplier<String> lease,
            PurgeRules rules,
            Presence presence,
            StoreCache stores,
            VerifiedBlocks blocks) {
        this.plane = plane;
        this.lease = lease;
        this.rules = rules;
        this.stores = stores;
        this.blocks = blocks;
        this.follower = new PurgeFollower(plane, lease, rules, presence);
    }

    /** A step, and whether the next one is due at once. */
    @FunctionalInterface
    private interface PurgeStep {
        boolean run() throws InterruptedException;
    }

    /** Begins, on virtual threads. */
    public void start() {
        threads.add(Thread.ofVirtual().name("purges").start(() -> repeat(follower::follow)));
        threads.add(Thread.ofVirtual().name("deletion").start(() -> repeat(this::delete)));
    }

    private void repeat(PurgeStep step) {
        try {
            while (!closed) {
                boolean atOnce = false;
                try {
                    atOnce = step.run();
                } catch (RuntimeException | Error e) {
                    LOG.log(Level.ERROR, "a step of purging failed", e);
                }
                if (!atOnce) {
                    TimeUnit.NANOSECONDS.sleep(pause().toNanos());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration pause() {
        if (lease.get().isEmpty()) {
            return JOINING;
        }
        return rules.isAnyRunning() || !rules.isKnown() ? SOON : PERIOD;
    }

    private boolean delete() throws InterruptedException {
        Deletion task = rules.isAnyRunning() ? claim() : null;
        if (task == null) {
            return false;
        }
        new StorageDeletion(task, stores, blocks, report -> {
                    count(report);
                    return tell(task, report);
                })
                .run();
        return true;
    }

    private @Nullable Deletion claim() throws InterruptedException {
        String mine = lease.get();
        if (mine.isEmpty()) {
            return null;
        }
        ClaimDeletionRequest request =
                ClaimDeletionRequest.newBuilder().setLease(mine).build();
        try {
            var answer = plane.ask(PurgeServiceGrpc::newFutureStub, stub -> stub.claimDeletion(request), DEADLINE);
            return answer.hasDeletion() ? answer.getDeletion() : null;
        } catch (StatusException e) {
            LOG.log(Level.DEBUG, "the control plane gave no deletion: {0}", e.getStatus());
            return null;
        }
    }

    private void count(ReportDeletedRequest.Builder report) {
        deleted.add(report.getDeleted());
        failed.add(report.getFailed());
    }

    /** Blocks that this process deleted from storage. */
    public long deleted() {
        return deleted.sum();
    }

    /** Blocks that could not be deleted from storage. */
    public long failed() {
        return failed.sum();
    }

    /** Purged blocks that were removed from memory. */
    public long forgotten() {
        return follower.forgotten();
    }

    /** Reports until the control plane answers. Answers whether the claim is over. */
    private boolean tell(Deletion task, ReportDeletedRequest.Builder report) throws InterruptedException {
        report.setPurge(task.getPurge()).setRegion(task.getRegion()).setClaim(task.getClaim());
        long end = System.nanoTime() + LAST_WORDS.toNanos();
        while (System.nanoTime() < end) {
            ReportDeletedRequest said = report.setLease(lease.get()).build();
            try {
                return plane.ask(PurgeServiceGrpc::newFutureStub, stub -> stub.reportDeleted(said), DEADLINE)
                        .getOver();
            } catch (StatusException e) {
                LOG.log(Level.WARNING, "the control plane was not told of a purge: {0}", e.getStatus());
                if (e.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
                    return true;
                }
            }
            TimeUnit.NANOSECONDS.sleep(SOON.toNanos());
        }
        return true;
    }

    /** Stops. Another data plane continues a deletion that was begun. Waits a few seconds at most. */
    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                boolean _ = thread.join(LAST_STEPS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
