package dev.kvstore.dataplane.heat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.PartitionHeat;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.StatusException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports the uses of blocks to the control plane, as often as there are heartbeats, but apart from them: a lease must
 * not wait for a report. Uses that could not be reported are in the next report. Runs on a thread of its own; its
 * counters are thread-safe.
 */
public final class HeatReporter implements Runnable, AutoCloseable {
    /** The time between two reports, as between heartbeats. Tests of whole stacks set the property, to wait less. */
    public static final Duration PERIOD = Duration.ofMillis(Long.getLong("dev.kvstore.test.heat.millis", 5_000));

    /** Most blocks in a report, 0.9 MB. A block takes 52 bytes there, a 20,000th of the bytes of a read. */
    static final int MOST_BLOCKS = 1 << 14;

    private static final Duration DEADLINE = Duration.ofSeconds(4);
    private static final Logger LOG = System.getLogger(HeatReporter.class.getName());

    private record HeatPartition(String resourceName, BlockHash root) {}

    private final ControlPlaneReplicas plane;
    private final Heat heat;
    private final Supplier<String> lease;
    private final LongAdder told = new LongAdder();
    private final Semaphore stop = new Semaphore(0);
    private boolean failing;
    private volatile @Nullable Thread thread;

    /** @param lease by which the control plane knows this process; empty while there is none */
    public HeatReporter(ControlPlaneReplicas plane, Heat heat, Supplier<String> lease) {
        this.plane = plane;
        this.heat = heat;
        this.lease = lease;
    }

    /** Number of reported blocks, each counted as often as it was reported. */
    public long told() {
        return told.sum();
    }

    /** Begins, on a virtual thread. */
    public void start() {
        thread = Thread.ofVirtual().name("heat").start(this);
    }

    @Override
    public void run() {
        try {
            while (!stop.tryAcquire(PERIOD.toNanos(), TimeUnit.NANOSECONDS)) {
                beat();
            }
            beat();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports the rest, and waits for that a few seconds at most. */
    @Override
    public void close() {
        stop.release();
        Thread mine = thread;
        if (mine == null) {
            return;
        }
        try {
            boolean _ = mine.join(DEADLINE.plusSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports the uses that were not reported yet. */
    void beat() throws InterruptedException {
        String mine = lease.get();
        if (mine.isEmpty()) {
            return;
        }
        List<BlockUse> uses = heat.tell(MOST_BLOCKS);
        if (uses.isEmpty()) {
            return;
        }
        ReportHeatRequest report = report(mine, uses);
        boolean heard = false;
        try {
            var _ = plane.ask(WarmingServiceGrpc::newFutureStub, stub -> stub.reportHeat(report), DEADLINE);
            heard = true;
            told.add(uses.size());
            failing = false;
        } catch (StatusException e) {
            failed(e.getStatus());
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "uses of blocks could not be reported", e);
        } finally {
            if (!heard) {
                heat.takeBack(uses);
            }
        }
    }

    /** Logs a failure once, until a report succeeds again. */
    private void failed(Status why) {
        if (!failing) {
            LOG.log(
                    Level.WARNING,
                    "uses of blocks could not be reported, and are reported later: {0}: {1}",
                    why.getCode(),
                    why.getDescription());
        }
        failing = true;
    }

    private static ReportHeatRequest report(String lease, List<BlockUse> uses) {
        Map<HeatPartition, List<BlockUse>> parts = uses.stream()
                .collect(Collectors.groupingBy(use -> new HeatPartition(
                        use.block().resourceName(), use.block().key().root())));
        ReportHeatRequest.Builder report = ReportHeatRequest.newBuilder().setLease(lease);
        parts.forEach((place, part) -> report.addHeat(heat(place, part)));
        return report.build();
    }

    private static PartitionHeat heat(HeatPartition place, List<BlockUse> uses) {
        PartitionHeat.Builder heat =
                PartitionHeat.newBuilder().setResourceName(place.resourceName()).setRoot(WireNames.field(place.root()));
        ByteBuffer hashes = ByteBuffer.allocate(uses.size() * BlockHash.BYTES);
        for (BlockUse use : uses) {
            UsedBlock block = use.block();
            block.key().hash().putTo(hashes);
            heat.addParents(block.parent()).addBytes(block.bytes()).addUses(use.uses());
        }
        return heat.setHashes(ByteString.copyFrom(hashes.flip())).build();
    }
}
