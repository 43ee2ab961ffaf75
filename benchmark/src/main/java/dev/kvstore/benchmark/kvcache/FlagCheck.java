package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.FlagLimits;
import dev.kvstore.benchmark.kvcache.device.BlockDevice;
import dev.kvstore.benchmark.kvcache.device.DeviceTracer;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.result.ValidationTrace;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.BurstTrace;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.WritablePath;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Refuses flags that cannot be with an {@link IllegalArgumentException} that names them, before anything is started:
 * by {@code flags.yaml}, and by what the files and this machine say.
 */
record FlagCheck(CommandSpec spec, KvCacheFlags flags, WorkloadConfig config) {
    private static final List<String> FORBIDDEN =
            List.of("/etc", "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/boot", "/sys", "/proc", "/dev", "/root");
    private static final String AVAILABLE = "MemAvailable:";

    static void refuseIf(boolean wrong, String sentence) {
        if (wrong) {
            throw new IllegalArgumentException(sentence);
        }
    }

    /** Bytes of memory that programs of this machine can still have; as many as a long has if it does not say. */
    static long availableBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith(AVAILABLE)) {
                    return 1_024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
        } catch (IOException e) {
            // The system has no such file.
        }
        return Long.MAX_VALUE;
    }

    static boolean isOfSystem(Path folder) {
        return FORBIDDEN.stream().anyMatch(folder::startsWith);
    }

    private boolean named(String flag) {
        return spec.commandLine().getParseResult().hasMatchedOption(flag);
    }

    /** Ranges of numbers, and flags that exclude or need others. */
    void table() {
        FlagLimits limits = config.validationLimits();
        range("--num-users", "1 to " + limits.maxUsers());
        range("--duration", "1 to " + limits.maxDurationSeconds());
        range("--gpu-mem-gb", "0 to " + limits.maxGpuMemoryGb());
        range("--cpu-mem-gb", "0 to " + limits.maxCpuMemoryGb());
        range("--block-tokens", "0 to " + Partition.MAX_BLOCK_TOKENS);
        if (flags.cpuBandwidthGbs() != 0) {
            range("--cpu-bandwidth-gbs", "0.001 to 1000000");
        }
        FlagSpecs.FLAGS.properties().forEach(flag -> {
            String name = flag.getKey();
            JsonNode facts = flag.getValue();
            if (facts.has("range")) {
                range(name, facts.path("range").asText());
            }
            for (JsonNode other : facts.path("excludes")) {
                refuseIf(
                        named(name) && named(other.asText()),
                        name + ": excludes " + other.asText() + "; leave one of the two out");
            }
            String other = facts.path("needs").asText(name);
            refuseIf(named(name) && !named(other), name + ": needs " + other);
        });
        range("--tensor-parallel", "1 to " + flags.numGpus());
        double before = 0;
        for (double rate : flags.rates()) {
            refuseIf(
                    !(rate > before && rate <= 1_000_000),
                    "--rates: must rise, from above 0 to 1000000, not " + flags.rates());
            before = rate;
        }
        if (flags.resultsDir() != null) {
            WritablePath.requireFolder("--results-dir", flags.resultsDir());
        }
    }

    /** @param range such as {@code 1 to 10}, both included */
    private void range(String flag, String range) {
        Number number = spec.findOption(flag).getValue();
        if (number == null) {
            return;
        }
        String[] ends = range.split(" to ", 2);
        double value = number.doubleValue();
        boolean fits = value >= Double.parseDouble(ends[0]) && value <= Double.parseDouble(ends[1]);
        refuseIf(!fits, flag + ": must be " + range + ", not " + number);
    }

    /** A suite's last tier may be another one. */
    void suite(Suite suite) {
        refuseIf(
                flags.ranks() > 1 && suite != Suite.MLPERF,
                "--ranks: only the suite mlperf has clients side by side; leave it out");
        refuseIf(
                suite == Suite.SEED_002 && named("--config"), "--config: the suite seed-002 has its own; leave it out");
        refuseIf(
                named("--model") && suite != Suite.WRAPPER,
                "--model: the suite " + suite + " decides on it, only wrapper takes one; leave it out");
        for (String workload : flags.workloads()) {
            refuseIf(
                    !suite.names().contains(workload),
                    "--workloads: the suite " + suite + " has no run " + workload + "; it has "
                            + String.join(", ", suite.names()));
        }
        refuseIf(suite == Suite.SMOKE && flags.compat(), "--compat: the suite smoke decides on it; leave it out");
        refuseIf(
                named("--tiers") && (flags.tiers().size() != 1 || flags.tiers().getFirst().slot != Slot.STORAGE),
                "--tiers: of a suite its last tier alone may be named, disk, kvstore, object or null; not "
                        + flags.tierNames());
    }

    /** The flags of one run, which were held against the table; files that they name are read to their ends. */
    void run() {
        flags.model(config);
        arrivals();
        tiers();
        services();
        if (flags.inBlocks()) {
            blocks();
        }
        if (flags.datasetPath() != null) {
            refuseIf(
                    flags.compat() && flags.requestRate() == 0,
                    "--request-rate: must be above 0 with --compat and --dataset-path: the original sends as many"
                            + " requests as its processor can make");
            flags.dataset(flags.datasetPath(), config);
        } else if (flags.burstTracePath() != null) {
            BurstTrace.find(flags.burstTracePath()).check();
        }
        Path sheet = flags.xlsxOutput();
        refuseIf(
                sheet != null && !sheet.toString().matches(".*\\.(xlsx|csv)"),
                "--xlsx-output: must end in .xlsx or .csv, not " + sheet);
        for (String flag : List.of("--output", "--xlsx-output", "--io-trace-log")) {
            if (spec.findOption(flag).getValue() instanceof Path file) {
                WritablePath.requireFile(flag, file);
            }
        }
        if (flags.validationTrace() != null) {
            ValidationTrace.read(flags.validationTrace());
        }
        if (flags.enableLatencyTracing()) {
            device();
        }
    }

    private void arrivals() {
        boolean byUsers = flags.arrival() == ArrivalProcess.USERS;
        double rate = flags.requestRate();
        refuseIf(!byUsers && flags.compat(), "--arrival: --compat knows users alone; leave one of the two out");
        refuseIf(!byUsers && rate == 0, "--request-rate: must be above 0 with --arrival " + flags.arrival());
        refuseIf(
                byUsers && rate > 0 && !flags.compat(),
                "--request-rate: users arrive as they think; give --arrival fixed or poisson with it");
    }

    private void tiers() {
        List<TierName> names = flags.tiers();
        for (int i = 1; i < names.size(); i++) {
            refuseIf(
                    names.get(i).slot.compareTo(names.get(i - 1).slot) <= 0,
                    "--tiers: must go from the fastest to the slowest, gpu-sim, cpu, then one"
                            + " of disk, kvstore, object and null; not " + flags.tierNames());
        }
        refuseIf(
                names.isEmpty() || names.getLast().slot != Slot.STORAGE,
                "--tiers: must end with disk, kvstore, object or null, not " + flags.tierNames());
        if (flags.ioTraceLog() != null) {
            return;
        }
        refuseIf(
                named("--gpu-mem-gb") && flags.gpuMemGb() > 0 && !flags.has(TierName.GPU_SIM),
                "--gpu-mem-gb: there is no GPU but a simulated one; add gpu-sim to --tiers, or leave it out");
        Path folder = flags.folder();
        for (String forbidden : FORBIDDEN) {
            refuseIf(
                    folder.startsWith(forbidden),
                    "--cache-dir: " + folder + " is of the system (" + forbidden + "); name another folder");
        }
        if (names.getLast() != TierName.NULL) {
            refuseIf(
                    !Files.exists(folder),
                    "--cache-dir: " + folder + " is not there; make it, or mount its disk first");
            WritablePath.requireFolder("--cache-dir", folder);
        }
        double bytes = flags.cpuMemGb() * KvCacheFlags.GIBIBYTE;
        refuseIf(
                flags.has(TierName.CPU) && flags.cpuBandwidthGbs() == 0 && bytes > availableBytes(),
                "--cpu-mem-gb: %s GiB is more than the %.1f GiB that this machine has free; give less"
                        .formatted(flags.cpuMemGb(), availableBytes() / KvCacheFlags.GIBIBYTE));
    }

    private void services() {
        if (!flags.target().isEmpty()) {
            refuseIf(!flags.has(TierName.KVSTORE), "--target: needs the tier kvstore in --tiers");
            flags.access().requireUsable("--target");
        }
        if (flags.blobContainer() != null) {
            refuseIf(!flags.has(TierName.OBJECT), "--blob-container: needs the tier object in --tiers");
            flags.connection();
        }
    }

    private void blocks() {
        flags.prefill();
        if (flags.has(TierName.KVSTORE)) {
            refuseIf(
                    flags.tiers().size() > 1,
                    "--tiers: with --block-tokens kvstore stands alone, since it has tiers of its own; not "
                            + flags.tierNames());
            long bytes = flags.blockBytes(config);
            refuseIf(
                    bytes > NewBlock.MAX_BUFFER_BYTES,
                    "--block-tokens: a block of %d tokens of %s has %d bytes; KV Store takes %d"
                            .formatted(flags.blockTokens(), flags.model(), bytes, NewBlock.MAX_BUFFER_BYTES));
        }
    }

    private void device() {
        String flag = "--enable-latency-tracing: ";
        refuseIf(
                flags.ioTraceLog() != null || !flags.has(TierName.DISK),
                flag + "there is no disk to watch; name disk in --tiers, without --io-trace-log");
        try {
            DeviceTracer.start(BlockDevice.under(flags.folder())).close();
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalArgumentException(flag + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException(flag + "was interrupted", e);
        }
    }
}
