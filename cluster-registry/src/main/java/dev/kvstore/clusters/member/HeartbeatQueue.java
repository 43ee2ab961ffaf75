package dev.kvstore.clusters.member;

import dev.kvstore.clusters.lease.ProcessScope;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Gathers heartbeats for {@link #GATHER}, has each batch written, and then answers its heartbeats. No cluster takes all
 * the room in the queue, however many heartbeats the bearer of its token sends. Thread-safe; one thread runs the queue.
 */
public final class HeartbeatQueue implements Runnable {
    /** The time for which the first heartbeat of a batch waits for others: a fifth of what a heartbeat may take. */
    static final Duration GATHER = Duration.ofMillis(10);

    /**
     * The most heartbeats in the queue: those of about a second. A data plane that waited for longer would give up
     * before its answer comes.
     */
    static final int CAPACITY = 2_000;

    /**
     * The number of heartbeats that a cluster may have in the queue, as a multiple of the free room: alone, it gets
     * four fifths.
     */
    private static final int TIMES_FREE = 4;

    /** The most heartbeats in one statement; more would only make the first wait for the last. */
    static final int BATCH = 500;

    /** Writes a batch, each lease once for a scope; see {@link Heartbeats#keep}. */
    @FunctionalInterface
    public interface HeartbeatBatchWriter {
        Map<UUID, RenewedLease> keep(java.util.Collection<Beat> beats) throws SQLException;
    }

    /** The source of a heartbeat: a heartbeat of another sender does not replace the process's own. */
    private record BeatSource(UUID lease, ProcessScope scope) {}

    private record QueuedBeat(Beat beat, CompletableFuture<Optional<RenewedLease>> answer) {}

    private final HeartbeatBatchWriter writer;
    private final BlockingQueue<QueuedBeat> queue = new ArrayBlockingQueue<>(CAPACITY);

    /** The number of queued heartbeats of each cluster; those of data planes of every cluster count as one. */
    private final Map<String, Integer> inLine = new ConcurrentHashMap<>();

    private final LongAdder batches = new LongAdder();
    private final LongAdder kept = new LongAdder();
    private volatile boolean stopped;

    public HeartbeatQueue(HeartbeatBatchWriter writer) {
        this.writer = writer;
    }

    /**
     * Puts a heartbeat into the queue.
     *
     * @return the renewed lease; empty if the lease does not exist any more, an {@link SQLException} if the database
     *     does not answer. The thread that runs the queue completes the future, so work that depends on it must not
     *     take long. Without a future if the queue is full, or if the cluster has its share of it
     */
    public Optional<CompletableFuture<Optional<RenewedLease>>> offer(Beat beat) {
        QueuedBeat queuedBeat = new QueuedBeat(beat, new CompletableFuture<>());
        int ofCluster = inLine.merge(cluster(queuedBeat), 1, Integer::sum);
        boolean share = ofCluster <= TIMES_FREE * queue.remainingCapacity();
        if (stopped || !share || !queue.offer(queuedBeat) || (stopped && queue.remove(queuedBeat))) {
            leave(queuedBeat);
            return Optional.empty();
        }
        return Optional.of(queuedBeat.answer());
    }

    private static String cluster(QueuedBeat queuedBeat) {
        return Objects.requireNonNullElse(queuedBeat.beat().scope().cluster(), "");
    }

    private void leave(QueuedBeat queuedBeat) {
        inLine.computeIfPresent(cluster(queuedBeat), (_, count) -> count == 1 ? null : count - 1);
    }

    /** The number of written batches. */
    public long batches() {
        return batches.sum();
    }

    /** The number of written heartbeats. */
    public long kept() {
        return kept.sum();
    }

    /** Writes batches until its thread is interrupted; then the waiting heartbeats fail. */
    @Override
    public void run() {
        List<QueuedBeat> batch = new ArrayList<>();
        try {
            while (true) {
                try {
                    gather(batch);
                    batch.forEach(this::leave);
                    write(batch);
                } catch (SQLException | RuntimeException | Error e) {
                    // The next batch is tried, whatever failed.
                    fail(batch, e);
                }
                batch.clear();
            }
        } catch (InterruptedException e) {
            stopped = true;
            queue.drainTo(batch);
            fail(batch, new SQLException("this control plane is being stopped"));
        }
    }

    private static void fail(List<QueuedBeat> batch, Throwable reason) {
        batch.forEach(queuedBeat -> queuedBeat.answer().completeExceptionally(reason));
    }

    /** The next heartbeat, and the heartbeats that come within {@link #GATHER} of it. */
    private void gather(List<QueuedBeat> batch) throws InterruptedException {
        batch.add(queue.take());
        long end = System.nanoTime() + GATHER.toNanos();
        while (batch.size() < BATCH) {
            QueuedBeat next = queue.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                return;
            }
            batch.add(next);
            queue.drainTo(batch, BATCH - batch.size());
        }
    }

    /** Writes a batch. If a lease has two heartbeats in it, the last one counts. */
    private void write(List<QueuedBeat> batch) throws SQLException {
        Map<BeatSource, Beat> beats = new LinkedHashMap<>();
        for (QueuedBeat queuedBeat : batch) {
            Beat beat = queuedBeat.beat();
            beats.put(new BeatSource(beat.lease(), beat.scope()), beat);
        }
        Map<UUID, RenewedLease> heard = writer.keep(beats.values());
        batches.increment();
        kept.add(heard.size());
        batch.forEach(queuedBeat -> queuedBeat
                .answer()
                .complete(Optional.ofNullable(heard.get(queuedBeat.beat().lease()))
                        .filter(process -> queuedBeat.beat().scope().covers(process.cluster(), process.process()))));
    }
}
