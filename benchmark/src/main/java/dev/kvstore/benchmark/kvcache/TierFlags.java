package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.tier.Tiering;
import dev.kvstore.launcher.WritablePath;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of where entries go; those of the original have its names and defaults. */
final class TierFlags {
    private static final List<String> FORBIDDEN =
            List.of("/etc", "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/boot", "/sys", "/proc", "/dev", "/root");
    private static final double GIBIBYTE = 1L << 30;

    @Option(names = "--tiers", paramLabel = "NAMES", split = ",", defaultValue = "cpu,disk")
    List<TierName> tiers = List.of();

    @Option(names = "--tiering-policy", paramLabel = "HOW")
    Tiering tiering = Tiering.WATERFALL;

    @Option(names = "--gpu-mem-gb", paramLabel = "GIB", defaultValue = "16")
    double gpuGib;

    @Option(names = "--num-gpus", paramLabel = "N")
    int gpus = 1;

    @Option(names = "--tensor-parallel", paramLabel = "N")
    int parallel = 1;

    @Option(names = "--gpu-bandwidth-gbs", paramLabel = "GBS", defaultValue = "64")
    double gpuBandwidth;

    @Option(names = "--gpu-latency-us", paramLabel = "US")
    long gpuLatency = 10;

    @Option(names = "--cpu-mem-gb", paramLabel = "GIB", defaultValue = "32")
    double cpuGib;

    @Option(names = "--cpu-bandwidth-gbs", paramLabel = "GBS", defaultValue = "0")
    double cpuBandwidth;

    @Option(names = "--cache-dir", paramLabel = "FOLDER")
    @Nullable
    Path folder;

    @Option(names = "--storage-capacity-gb", paramLabel = "GIB", defaultValue = "0")
    double storageGib;

    @Option(names = "--max-concurrent-allocs", paramLabel = "N")
    int allocations = 0;

    @Option(names = "--precondition")
    boolean precondition;

    @Option(names = "--precondition-size-gb", paramLabel = "GIB", defaultValue = "0")
    double preconditionGib;

    @Option(names = "--precondition-threads", paramLabel = "N")
    int preconditionThreads = 0;

    boolean has(TierName tier) {
        return tiers.contains(tier);
    }

    double gpuBytes() {
        return gpuGib * gpus * GIBIBYTE;
    }

    double cpuBytes() {
        return cpuGib * GIBIBYTE;
    }

    /** Threads of the preparation. */
    int threads() {
        return preconditionThreads > 0
                ? preconditionThreads
                : Runtime.getRuntime().availableProcessors();
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(WorkloadConfig config, boolean traced) {
        requireOrder();
        String mostStorage = "1000000000";
        FlagCheck.range(
                "--gpu-mem-gb",
                gpuGib,
                "0",
                Long.toString(config.validationLimits().maxGpuMemoryGb()));
        FlagCheck.range(
                "--cpu-mem-gb",
                cpuGib,
                "0",
                Long.toString(config.validationLimits().maxCpuMemoryGb()));
        FlagCheck.range("--storage-capacity-gb", storageGib, "0", mostStorage);
        FlagCheck.range("--precondition-size-gb", preconditionGib, "0", mostStorage);
        FlagCheck.range("--num-gpus", gpus, 1, 100_000);
        FlagCheck.range("--tensor-parallel", parallel, 1, gpus);
        FlagCheck.range("--max-concurrent-allocs", allocations, 0, 1_000_000);
        FlagCheck.range("--precondition-threads", preconditionThreads, 0, 10_000);
        FlagCheck.range("--gpu-latency-us", gpuLatency, 0, 1_000_000);
        FlagCheck.range("--gpu-bandwidth-gbs", gpuBandwidth, "0.001", "1000000");
        if (cpuBandwidth != 0) {
            FlagCheck.range("--cpu-bandwidth-gbs", cpuBandwidth, "0.001", "1000000");
        }
        if ((has(TierName.DISK) || has(TierName.KVSTORE) || has(TierName.OBJECT)) && !traced) {
            requireFolder(folder());
        }
        FlagCheck.refuseIf(
                has(TierName.CPU) && !traced && cpuBandwidth == 0 && cpuBytes() > MachineMemory.availableBytes(),
                "--cpu-mem-gb: %s GiB is more than the %.1f GiB that this machine has free; give less"
                        .formatted(cpuGib, MachineMemory.availableBytes() / GIBIBYTE));
    }

    Path folder() {
        Path named = folder == null ? Path.of(System.getProperty("java.io.tmpdir", "/tmp")) : folder;
        return named.toAbsolutePath().normalize();
    }

    private void requireOrder() {
        for (int i = 1; i < tiers.size(); i++) {
            FlagCheck.refuseIf(
                    tiers.get(i).slot.level() <= tiers.get(i - 1).slot.level(),
                    "--tiers: must go from the fastest to the slowest, gpu-sim, cpu, then one"
                            + " of disk, kvstore, object and null; not " + names());
        }
        FlagCheck.refuseIf(
                tiers.isEmpty() || tiers.getLast().slot != Slot.STORAGE,
                "--tiers: must end with disk, kvstore, object or null, not " + names());
    }

    String names() {
        return String.join(",", tiers.stream().map(TierName::toString).toList());
    }

    private static void requireFolder(Path folder) {
        for (String forbidden : FORBIDDEN) {
            FlagCheck.refuseIf(
                    folder.startsWith(forbidden),
                    "--cache-dir: " + folder + " is of the system (" + forbidden + "); name another folder");
        }
        WritablePath.requireFolder("--cache-dir", folder);
    }
}
