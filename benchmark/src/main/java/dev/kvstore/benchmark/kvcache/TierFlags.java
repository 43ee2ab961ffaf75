package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.policy.Tiering;
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
    private static final double LEAST_BANDWIDTH = 0.001;
    private static final double MOST_BANDWIDTH = 1_000_000;

    @Option(
            names = "--tiers",
            paramLabel = "NAMES",
            split = ",",
            defaultValue = "cpu,disk",
            description =
                    "Tiers from the fastest: gpu-sim (a simulated GPU's memory), cpu (memory off the heap), and at the end one of disk,"
                            + " kvstore (KV Store through its Java SDK), object (a blob endpoint) and null (takes no time, holds"
                            + " nothing). Default: ${DEFAULT-VALUE}.")
    List<TierName> tiers = List.of();

    @Option(
            names = "--tiering-policy",
            paramLabel = "HOW",
            defaultValue = "waterfall",
            description =
                    "waterfall: a tier makes room by demoting its least recently used entries; spillover: an entry goes to the"
                            + " first tier with room and stays there, as in the original of November 2025; write-through: as waterfall,"
                            + " with a copy of all in the last tier. Default: ${DEFAULT-VALUE}.")
    Tiering tiering = Tiering.WATERFALL;

    @Option(
            names = "--gpu-mem-gb",
            paramLabel = "GIB",
            defaultValue = "16",
            description = "Memory of one simulated GPU; looked at with gpu-sim alone. Default: ${DEFAULT-VALUE}.")
    double gpuGib;

    @Option(names = "--num-gpus", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    int gpus;

    @Option(
            names = "--tensor-parallel",
            paramLabel = "N",
            defaultValue = "1",
            description = "GPUs that share each entry, up to --num-gpus; the share of one of them is stored. Default:"
                    + " ${DEFAULT-VALUE}.")
    int parallel;

    @Option(
            names = "--gpu-bandwidth-gbs",
            paramLabel = "GBS",
            defaultValue = "64",
            description =
                    "Bandwidth of the simulated GPU in each direction, 10^9 bytes a second. Default: ${DEFAULT-VALUE}.")
    double gpuBandwidth;

    @Option(
            names = "--gpu-latency-us",
            paramLabel = "US",
            defaultValue = "10",
            description = "Latency of each access to the simulated GPU. Default: ${DEFAULT-VALUE}.")
    long gpuLatency;

    @Option(
            names = "--cpu-mem-gb",
            paramLabel = "GIB",
            defaultValue = "32",
            description = "Memory of the cpu tier; 0 for none. Default: ${DEFAULT-VALUE}.")
    double cpuGib;

    @Option(
            names = "--cpu-bandwidth-gbs",
            paramLabel = "GBS",
            defaultValue = "0",
            description =
                    "Simulate memory of this bandwidth in each direction, 10^9 bytes a second, which holds no bytes:"
                            + " as slow as that of another machine, or of another program. 0 for this machine's own memory. Default:"
                            + " ${DEFAULT-VALUE}.")
    double cpuBandwidth;

    @Option(
            names = "--cache-dir",
            paramLabel = "FOLDER",
            description =
                    "On the disk that is measured, or for what this run starts itself; a folder of its own is put there and"
                            + " deleted. Default: the system's for temporary files.")
    @Nullable
    Path folder;

    @Option(
            names = "--storage-capacity-gb",
            paramLabel = "GIB",
            defaultValue = "0",
            description =
                    "Capacity of the last tier; 0 for 95 %% of the free space of a disk, else without end. Default: ${DEFAULT-VALUE}.")
    double storageGib;

    @Option(
            names = "--max-concurrent-allocs",
            paramLabel = "N",
            defaultValue = "0",
            description = "Entries written at once; 0 for any number. Default: ${DEFAULT-VALUE}.")
    int allocations;

    @Option(names = "--precondition", description = "Write entries of 2,048 tokens before the run.")
    boolean precondition;

    @Option(
            names = "--precondition-size-gb",
            paramLabel = "GIB",
            defaultValue = "0",
            description =
                    "Bytes that --precondition writes; 0 for twice the last tier's capacity. Default: ${DEFAULT-VALUE}.")
    double preconditionGib;

    @Option(
            names = "--precondition-threads",
            paramLabel = "N",
            defaultValue = "0",
            description = "Threads of --precondition; 0 for one a processor. Default: ${DEFAULT-VALUE}.")
    int preconditionThreads;

    boolean has(TierName tier) {
        return tiers.contains(tier);
    }

    double gpuBytes() {
        return gpuGib * gpus * GIBIBYTE;
    }

    double cpuBytes() {
        return cpuGib * GIBIBYTE;
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(WorkloadConfig config, boolean traced) {
        requireOrder();
        gib("--gpu-mem-gb", gpuGib, config.limits().gpuGib());
        gib("--cpu-mem-gb", cpuGib, config.limits().cpuGib());
        gib("--storage-capacity-gb", storageGib, 1_000_000_000);
        gib("--precondition-size-gb", preconditionGib, 1_000_000_000);
        WorkloadFlags.range("--num-gpus", gpus, 1, 100_000);
        WorkloadFlags.range("--tensor-parallel", parallel, 1, gpus);
        WorkloadFlags.range("--max-concurrent-allocs", allocations, 0, 1_000_000);
        WorkloadFlags.range("--precondition-threads", preconditionThreads, 0, 10_000);
        WorkloadFlags.range("--gpu-latency-us", gpuLatency, 0, 1_000_000);
        bandwidth("--gpu-bandwidth-gbs", gpuBandwidth);
        if (cpuBandwidth != 0) {
            bandwidth("--cpu-bandwidth-gbs", cpuBandwidth);
        }
        if ((has(TierName.DISK) || has(TierName.KVSTORE) || has(TierName.OBJECT)) && !traced) {
            requireFolder(folder());
        }
        if (has(TierName.CPU) && !traced && cpuBandwidth == 0 && cpuBytes() > MachineMemory.availableBytes()) {
            throw new IllegalArgumentException(
                    "--cpu-mem-gb: %s GiB is more than the %.1f GiB that this machine has free; give less"
                            .formatted(cpuGib, MachineMemory.availableBytes() / GIBIBYTE));
        }
    }

    Path folder() {
        Path named = folder == null ? Path.of(System.getProperty("java.io.tmpdir", "/tmp")) : folder;
        return named.toAbsolutePath().normalize();
    }

    private void requireOrder() {
        for (int i = 1; i < tiers.size(); i++) {
            if (tiers.get(i).slot().level() <= tiers.get(i - 1).slot().level()) {
                throw new IllegalArgumentException(
                        "--tiers: must go from the fastest to the slowest, gpu-sim, cpu, then one"
                                + " of disk, kvstore, object and null; not " + names());
            }
        }
        if (tiers.isEmpty() || tiers.getLast().slot() != Slot.STORAGE) {
            throw new IllegalArgumentException("--tiers: must end with disk, kvstore, object or null, not " + names());
        }
    }

    String names() {
        return String.join(",", tiers.stream().map(TierName::toString).toList());
    }

    private static void gib(String flag, double gib, long most) {
        if (!(gib >= 0 && gib <= most)) {
            throw new IllegalArgumentException(flag + ": must be 0 to " + most + ", not " + gib);
        }
    }

    private static void bandwidth(String flag, double gigabytes) {
        if (!(gigabytes >= LEAST_BANDWIDTH && gigabytes <= MOST_BANDWIDTH)) {
            throw new IllegalArgumentException(flag + ": must be 0.001 to 1000000, not " + gigabytes);
        }
    }

    private static void requireFolder(Path folder) {
        for (String forbidden : FORBIDDEN) {
            if (folder.startsWith(forbidden)) {
                throw new IllegalArgumentException(
                        "--cache-dir: " + folder + " is of the system (" + forbidden + "); name another folder");
            }
        }
        WritablePath.requireFolder("--cache-dir", folder);
    }
}
