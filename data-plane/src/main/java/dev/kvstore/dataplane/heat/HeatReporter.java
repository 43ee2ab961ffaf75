package dev.kvstore.dataplane.heat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.jobs.JobCalls;
import dev.kvstore.dataplane.jobs.JobCalls.JobReply;
import dev.kvstore.dataplane.jobs.JobLoop;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.PartitionHeat;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.ReportHeatResponse;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc.WarmingServiceFutureStub;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reports the uses of blocks to the control plane, as often as there are heartbeats, but apart from them: a lease must
 * not wait for a report. Uses that could not be reported are in the next report. Runs on a thread of its own; its
 * counters are thread-safe.
 */
public final class HeatReporter implements AutoCloseable {
    /** The time between two reports, as between heartbeats. Tests of whole stacks set the property, to wait less. */
    public static final Duration PERIOD = Duration.ofMillis(Long.getLong("dev.kvstore.test.heat.millis", 5_000));

    /** Most blocks in a report, 0.9 MB. A block takes 52 bytes there, a 20,000th of the bytes of a read. */
    static final int MOST_BLOCKS = 1 << 14;

    private record HeatPartition(String resourceName, BlockHash root) {}

    private final JobCalls<WarmingServiceFutureStub> calls;
    private final Heat heat;
    private final Supplier<String> lease;
    private final LongAdder told = new LongAdder();
    private final JobLoop loop = new JobLoop(
            "heat",
            () -> {
                beat();
                return false;
            },
            () -> PERIOD);

    /** @param lease by which the control plane knows this process; empty while there is none */
    public HeatReporter(ControlPlaneReplicas plane, Heat heat, Supplier<String> lease) {
        this.calls = new JobCalls<>(plane, lease, WarmingServiceGrpc::newFutureStub, "uses of blocks");
        this.heat = heat;
        this.lease = lease;
    }

    /** Number of reported blocks, each counted as often as it was reported. */
    public long told() {
        return told.sum();
    }

    /** Begins, on a virtual thread. */
    public void start() {
        loop.start();
    }

    /** Reports the rest, and waits for that a few seconds at most. */
    @Override
    public void close() {
        loop.finish();
        try {
            boolean _ = loop.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports the uses that were not reported yet. */
    void beat() throws InterruptedException {
        List<BlockUse> uses = lease.get().isEmpty() ? List.of() : heat.tell(MOST_BLOCKS);
        if (uses.isEmpty()) {
            return;
        }
        boolean heard = false;
        try {
            heard = calls.make((stub, mine) -> stub.reportHeat(report(mine, uses)))
                    instanceof JobReply.Heard<ReportHeatResponse>;
        } finally {
            if (heard) {
                told.add(uses.size());
            } else {
                heat.takeBack(uses);
            }
        }
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
