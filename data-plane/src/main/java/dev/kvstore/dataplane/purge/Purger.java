package dev.kvstore.dataplane.purge;

import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.jobs.JobCalls;
import dev.kvstore.dataplane.jobs.JobCalls.JobReply;
import dev.kvstore.dataplane.jobs.JobLoop;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.protocol.control.v1.ClaimDeletionRequest;
import dev.kvstore.protocol.control.v1.ClaimDeletionResponse;
import dev.kvstore.protocol.control.v1.Deletion;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc.PurgeServiceFutureStub;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import dev.kvstore.protocol.control.v1.ReportDeletedResponse;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

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

    /** A claim that could not be renewed for this long has passed to another data plane. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(60);

    private final JobCalls<PurgeServiceFutureStub> calls;
    private final Supplier<String> lease;
    private final PurgeRules rules;
    private final StoreCache stores;
    private final VerifiedBlocks blocks;
    private final PurgeFollower follower;
    private final LongAdder deleted = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final JobLoop purges;
    private final JobLoop deletions;

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
        this.calls = new JobCalls<>(plane, lease, PurgeServiceGrpc::newFutureStub, "a purge");
        this.lease = lease;
        this.rules = rules;
        this.stores = stores;
        this.blocks = blocks;
        this.follower = new PurgeFollower(plane, lease, rules, presence);
        this.purges = new JobLoop("purges", follower::follow, this::pause);
        this.deletions = new JobLoop("deletion", this::delete, this::pause);
    }

    /** Begins, on virtual threads. */
    public void start() {
        purges.start();
        deletions.start();
    }

    private Duration pause() {
        if (lease.get().isEmpty()) {
            return JOINING;
        }
        return rules.isAnyRunning() || !rules.isKnown() ? SOON : PERIOD;
    }

    private boolean delete() throws InterruptedException {
        if (!rules.isAnyRunning()) {
            return false;
        }
        JobReply<ClaimDeletionResponse> reply = calls.make((stub, mine) -> stub.claimDeletion(
                ClaimDeletionRequest.newBuilder().setLease(mine).build()));
        if (!(reply instanceof JobReply.Heard<ClaimDeletionResponse>(var answer)) || !answer.hasDeletion()) {
            return false;
        }
        Deletion task = answer.getDeletion();
        new StorageDeletion(task, stores, blocks, report -> {
                    count(report);
                    return tell(task, report);
                })
                .run();
        return true;
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
        JobReply<ReportDeletedResponse> reply = calls.insist(
                (stub, mine) -> stub.reportDeleted(report.setLease(mine).build()), SOON, LAST_WORDS);
        return !(reply instanceof JobReply.Heard<ReportDeletedResponse>(var answer)) || answer.getOver();
    }

    /** Stops. Another data plane continues a deletion that was begun. Waits a few seconds at most. */
    @Override
    public void close() {
        purges.close();
        deletions.close();
    }
}
