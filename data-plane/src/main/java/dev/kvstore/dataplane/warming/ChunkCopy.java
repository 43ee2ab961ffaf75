package dev.kvstore.dataplane.warming;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.jobs.JobCalls;
import dev.kvstore.dataplane.jobs.JobCalls.JobReply;
import dev.kvstore.dataplane.jobs.StoragePauses;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Copying;
import dev.kvstore.protocol.control.v1.Failure;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc.WarmingServiceFutureStub;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Copies one chunk: several blocks at a time, and reports them in their order every second. While the control plane
 * does not answer, copying goes on; while a storage does not answer, it waits. For one thread, except those that
 * {@link #run} starts.
 */
final class ChunkCopy {
    /** The time between two reports. */
    static final Duration PERIOD = Duration.ofSeconds(1);

    /** How long a finished chunk tries to report. */
    static final Duration LAST_WORDS = Duration.ofMinutes(2);

    private static final int NAME_BYTES = 2 * BlockHash.BYTES;
    private static final int MOST_REASON = 500;

    private final Task task;
    private final Copying work;
    private final BlockCopier copier;
    private final Allowance allowance;
    private final Lanes lanes;
    private final JobCalls<WarmingServiceFutureStub> calls;
    private final CopyCounters counters;
    private final int size;
    private final AtomicReferenceArray<@Nullable CopyOutcome> outcomes;
    private final CountDownLatch left;
    private final AtomicLong copiedBytes = new AtomicLong();
    private volatile @Nullable String hopeless;
    private volatile String waiting = "";
    private int told;
    private double rate;
    private long lastBytes;
    private long lastTold = System.nanoTime();

    ChunkCopy(
            Task task,
            BlockCopier copier,
            Allowance allowance,
            Lanes lanes,
            JobCalls<WarmingServiceFutureStub> calls,
            CopyCounters counters) {
        this.task = task;
        this.work = task.getCopying();
        this.copier = copier;
        this.allowance = allowance;
        this.lanes = lanes;
        this.calls = calls;
        this.counters = counters;
        this.size = work.getBlocks().size() / NAME_BYTES;
        this.told = Math.min(size, work.getDone());
        this.outcomes = new AtomicReferenceArray<>(size);
        this.left = new CountDownLatch(size - told);
    }

    /**
     * Returns when all blocks are copied and reported, or the claim is over. If interrupted, gives the remaining blocks
     * back.
     */
    void run() {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("warm-", 0).factory())) {
            int first = told;
            threads.execute(() -> feed(first, threads));
            try {
                follow();
            } catch (InterruptedException e) {
                threads.shutdownNow();
                giveBack();
                Thread.currentThread().interrupt();
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private void follow() throws InterruptedException {
        boolean over = false;
        long quiet = 0;
        while (!over) {
            boolean done = left.await(PERIOD.toNanos(), TimeUnit.NANOSECONDS);
            over = report(false);
            if (done && !over) {
                // No control plane heard the report.
                quiet = quiet == 0 ? System.nanoTime() : quiet;
                over = System.nanoTime() - quiet > LAST_WORDS.toNanos();
                TimeUnit.NANOSECONDS.sleep(PERIOD.toNanos());
            }
        }
    }

    private void giveBack() {
        boolean interrupted = Thread.interrupted();
        try {
            boolean _ = report(true);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void feed(int first, ExecutorService threads) {
        try {
            for (int i = first; i < size; i++) {
                int block = i;
                int bytes = i < work.getBytesCount() ? Math.max(1, work.getBytes(i)) : 1;
                // Blocks begin in their order: a report covers blocks without a gap.
                allowance.block(bytes);
                begin(block, bytes, lanes.enter(bytes), threads);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            Warmer.failed(task, e);
            giveUp();
        }
    }

    /** Ends the chunk, since without its feeding thread it would wait for ever. */
    private void giveUp() {
        for (int i = 0; i < size; i++) {
            if (outcomes.compareAndSet(
                    i,
                    null,
                    new CopyOutcome.CopyFailed("the data plane failed unexpectedly; its log says why", false))) {
                left.countDown();
            }
        }
    }

    /** Begins to copy a block, unless the chunk is over meanwhile. */
    private void begin(int block, int bytes, Lanes.CopySlot slot, ExecutorService threads) {
        try {
            threads.execute(() -> {
                try (slot) {
                    settle(block, bytes);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        } catch (RejectedExecutionException e) {
            slot.close();
            Thread.currentThread().interrupt();
        }
    }

    private void settle(int block, int bytes) throws InterruptedException {
        String given = hopeless;
        CopyOutcome outcome =
                given == null ? copy(block, bytes) : new CopyOutcome.CopyFailed("not tried: " + given, false);
        if (outcome instanceof CopyOutcome.Copied copied) {
            copiedBytes.addAndGet(copied.bytes());
        }
        if (outcome instanceof CopyOutcome.CopyFailed(String reason, boolean others) && others) {
            hopeless = reason;
        }
        counters.count(outcome);
        if (outcomes.compareAndSet(block, null, outcome)) {
            left.countDown();
        }
    }

    private CopyOutcome copy(int block, int bytes) throws InterruptedException {
        ByteBuffer names = work.getBlocks().asReadOnlyByteBuffer();
        BlockHash root = BlockHash.at(names, block * NAME_BYTES);
        BlockHash hash = BlockHash.at(names, block * NAME_BYTES + BlockHash.BYTES);
        StoragePauses pauses = new StoragePauses();
        while (true) {
            try {
                CopyOutcome outcome = copier.copy(root, hash, bytes);
                waiting = "";
                return outcome;
            } catch (CopyException e) {
                if (!e.passes() || pauses.areOver()) {
                    return new CopyOutcome.CopyFailed(String.valueOf(e.getMessage()), true);
                }
                waiting = String.valueOf(e.getMessage());
            } catch (MemoryExhaustedException e) {
                waiting = "memory of the process is in use";
            } catch (RuntimeException | Error e) {
                Warmer.failed(task, e);
                return new CopyOutcome.CopyFailed("the data plane failed unexpectedly; its log says why", false);
            }
            allowance.pause(pauses.next());
        }
    }

    /** Reports the blocks that are done without a gap. Answers whether the claim is over. */
    private boolean report(boolean givenBack) throws InterruptedException {
        int from = told;
        ByteString.Output done = ByteString.newOutput();
        ReportCopiedRequest.Builder report = ReportCopiedRequest.newBuilder();
        int end = from;
        for (CopyOutcome outcome; end < size && (outcome = outcomes.get(end)) != null; end++) {
            done.write(
                    switch (outcome) {
                        case CopyOutcome.Copied _ -> ReportCopiedRequest.Outcome.COPIED_VALUE;
                        case CopyOutcome.AlreadyThere _ -> ReportCopiedRequest.Outcome.PRESENT_VALUE;
                        case CopyOutcome.CopyFailed failed -> {
                            report.addFailures(
                                    Failure.newBuilder().setBlock(end).setReason(shortened(failed.reason())));
                            yield ReportCopiedRequest.Outcome.FAILED_VALUE;
                        }
                    });
        }
        measure();
        report.setWarming(task.getWarming())
                .setChunk(work.getChunk())
                .setClaim(task.getClaim())
                .setFrom(from)
                .setOutcomes(done.toByteString())
                .setBytesPerSecond((long) rate)
                .setWaiting(shortened(waiting))
                .setGivenBack(givenBack);
        return switch (calls.make(
                (stub, lease) -> stub.reportCopied(report.setLease(lease).build()))) {
            case JobReply.Flawed<ReportCopiedResponse> _ -> true;
            case JobReply.Unheard<ReportCopiedResponse> _ -> false;
            case JobReply.Heard<ReportCopiedResponse>(var answer) -> {
                if (!answer.getOver()) {
                    told = end;
                    allowance.set(answer.getBudget());
                }
                yield answer.getOver();
            }
        };
    }

    /** Measures the rate of the last seconds. */
    private void measure() {
        long now = System.nanoTime();
        long bytes = copiedBytes.get();
        double seconds = Math.max(1e-3, (now - lastTold) / 1e9);
        rate = rate == 0 ? (bytes - lastBytes) / seconds : rate * 0.7 + 0.3 * (bytes - lastBytes) / seconds;
        lastBytes = bytes;
        lastTold = now;
    }

    private static String shortened(String reason) {
        return reason.length() > MOST_REASON ? reason.substring(0, MOST_REASON) : reason;
    }
}
