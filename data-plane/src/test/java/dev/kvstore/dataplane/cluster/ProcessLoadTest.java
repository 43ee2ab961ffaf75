package dev.kvstore.dataplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProcessLoadTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final String LOOKUP = KVStoreServiceGrpc.getLookupMethod().getFullMethodName();

    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong cpu = new AtomicLong();
    private final CallMeter calls = new CallMeter(new SimpleMeterRegistry());
    private final MemoryPool pool = new MemoryPool(10_000_000, Duration.ZERO);
    private final MemoryTier memory = new MemoryTier(6_000_000, (_, _) -> {});
    private final ProcessLoad load = new ProcessLoad(
            1_000,
            new Admission(operations(7), operations(9)),
            calls,
            pool,
            memory,
            DiskTier.none(pool),
            clock::get,
            cpu::get);

    private CallAdmission operations(int limit) {
        return new CallAdmission(limit, 10, clock::get, new SplittableRandom(1));
    }

    private ServerStreamTracer call() {
        return calls.newServerStreamTracer(LOOKUP, new Metadata());
    }

    @Test
    void capacityIsWhatTheProcessWasGiven() {
        assertThat(load.capacity().getBytesPerSecond()).isEqualTo(1_000);
        assertThat(load.capacity().getOperations()).isEqualTo(7);
        assertThat(load.capacity().getMemoryTierBytes()).isEqualTo(6_000_000);
        assertThat(load.capacity().getDiskTierBytes()).isZero();
        assertThat(load.capacity().getCpus()).isPositive();
    }

    @Test
    void bytesAreCountedInBothDirectionsSinceTheHeartbeatBefore() {
        ServerStreamTracer call = call();
        call.inboundWireSize(300);
        call.outboundWireSize(700);
        clock.addAndGet(2 * SECOND);
        assertThat(load.load().getBytesPerSecond()).isEqualTo(500);

        clock.addAndGet(SECOND);
        assertThat(load.load().getBytesPerSecond()).isZero();
    }

    @Test
    void onlyCallsOfClientsCount() {
        calls.newServerStreamTracer("grpc.health.v1.Health/Watch", new Metadata())
                .outboundWireSize(1_000);
        clock.addAndGet(SECOND);

        assertThat(load.load().getStreams()).isZero();
        assertThat(load.load().getBytesPerSecond()).isZero();
    }

    @Test
    void cpuIsAShareOfThoseItIsBoundTo() {
        clock.addAndGet(SECOND);
        cpu.addAndGet(SECOND * load.capacity().getCpus() / 4);

        assertThat(load.load().getCpu()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void memoryIsTheShareThatCallsTakeAndNotTheTier() throws Exception {
        BlockMemory block = pool.allocate(1_000_000);
        assertThat(load.load().getMemory()).isCloseTo(pool.usedBytes() / 4e6, within(1e-9));
        assertThat(load.load().getMemoryTier()).isZero();
        block.release();
        assertThat(load.load().getMemory()).isZero();
    }

    @Test
    void latencyIsOfCallsThatEndedWellSinceTheHeartbeatBefore() {
        ServerStreamTracer open = call();
        call().streamClosed(Status.UNAVAILABLE);
        assertThat(load.load().hasLatencyP50()).isFalse();

        open.streamClosed(Status.OK);
        Load ended = load.load();
        assertThat(ended.hasLatencyP50()).isTrue();
        assertThat(ended.hasLatencyP99()).isTrue();
        assertThat(ended.getStreams()).isZero();

        assertThat(load.load().hasLatencyP50()).isFalse();
    }
}
