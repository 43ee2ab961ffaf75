package dev.kvstore.dataplane.cluster;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import com.sun.management.OperatingSystemMXBean;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.Load;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** The capacity and the load of this process. {@link #load} is for one thread at a time. */
public final class ProcessLoad implements Membership.Gauges {
    /** Refusals that another process would have spared the caller; refusals by an account's own limits do not count. */
    private static final Set<CallAdmission.AdmissionRefusal> NO_ROOM = EnumSet.complementOf(EnumSet.of(
            CallAdmission.AdmissionRefusal.ACCOUNT_OPERATIONS, CallAdmission.AdmissionRefusal.ACCOUNT_BYTES));

    private final long bandwidth;
    private final Admission admission;
    private final CallMeter calls;
    private final MemoryPool pool;
    private final MemoryTier memory;
    private final DiskTier disk;
    private final LongSupplier nanoTime;
    private final LongSupplier cpuNanos;
    private LoadSample last;

    private record LoadSample(long nanos, long cpuNanos, long bytes, long refused) {}

    /**
     * The load from now on.
     *
     * @param bandwidth bytes a second
     */
    public ProcessLoad(
            long bandwidth, Admission admission, CallMeter calls, MemoryPool pool, MemoryTier memory, DiskTier disk) {
        this(bandwidth, admission, calls, pool, memory, disk, System::nanoTime, ProcessLoad::cpuNanosOfProcess);
    }

    ProcessLoad(
            long bandwidth,
            Admission admission,
            CallMeter calls,
            MemoryPool pool,
            MemoryTier memory,
            DiskTier disk,
            LongSupplier nanoTime,
            LongSupplier cpuNanos) {
        this.bandwidth = bandwidth;
        this.admission = admission;
        this.calls = calls;
        this.pool = pool;
        this.memory = memory;
        this.disk = disk;
        this.nanoTime = nanoTime;
        this.cpuNanos = cpuNanos;
        this.last = now();
    }

    private static long cpuNanosOfProcess() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private LoadSample now() {
        return new LoadSample(nanoTime.getAsLong(), cpuNanos.getAsLong(), calls.bytes(), refused());
    }

    private long refused() {
        return NO_ROOM.stream()
                .mapToLong(reason ->
                        admission.blocks().refused(reason) + admission.lookups().refused(reason))
                .sum();
    }

    @Override
    public Capacity capacity() {
        return Capacity.newBuilder()
                .setBytesPerSecond(bandwidth)
                .setOperations(admission.blocks().limit())
                .setMemoryTierBytes(memory.budgetBytes())
                .setDiskTierBytes(disk.limitBytes())
                .setCpus(cpus())
                .build();
    }

    /** The number of CPUs that this process is bound to. */
    private static int cpus() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public Load load() {
        LoadSample before = last;
        LoadSample now = now();
        last = now;
        double seconds = Math.max(1, now.nanos - before.nanos) / (double) TimeUnit.SECONDS.toNanos(1);
        double cpuSeconds = (now.cpuNanos - before.cpuNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        Load.Builder load = Load.newBuilder()
                .setBytesPerSecond((long) ((now.bytes - before.bytes) / seconds))
                .setOperations(admission.blocks().running())
                .setStreams(calls.open())
                .setCpu(Math.clamp(cpuSeconds / (seconds * cpus()), 0, 1))
                .setMemory(share(pool.usedBytes() - memory.usedBytes(), pool.limitBytes() - memory.budgetBytes()))
                .setMemoryTier(share(memory.usedBytes(), memory.budgetBytes()))
                .setDiskTier(share(disk.usedBytes(), disk.limitBytes()))
                .setRejectedPerSecond((now.refused - before.refused) / seconds);
        Histogram latencies = calls.latencies();
        if (latencies.getTotalCount() > 0) {
            load.setLatencyP50(at(latencies, 50)).setLatencyP99(at(latencies, 99));
        }
        return load.build();
    }

    private static Duration at(Histogram latencies, double percentile) {
        return Durations.fromMicros(latencies.getValueAtPercentile(percentile));
    }

    private static double share(long part, long whole) {
        return whole <= 0 ? 0 : Math.clamp((double) part / whole, 0, 1);
    }
}
