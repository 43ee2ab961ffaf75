package dev.kvstore.benchmark.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.benchmark.limits.LimitScene.LimitCase;
import dev.kvstore.benchmark.mainjob.ComputedPrompts;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.MainJobReads;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.peers.FioOutput;
import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.ProgramRun;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Streams from a disk tier that holds all, under a memory that holds next to nothing, beside fio(1) on the tier's own
 * files, which reads them at random past the page cache.
 */
final class DiskTrial {
    static final String READ = "StreamingRead from disk";
    static final String FIO = "fio";

    /** A block with its header, in whole pages, as it lies on disk: what fio reads at a time. */
    private static final int RECORD_BYTES = 294 * 4096;

    // 64 blocks for each prompt; the disk holds sixteen prompts.
    private static final Map<String, String> SETTINGS =
            Map.of("KVSTORE_MEMORY_TIER_SIZE", "80M", "KVSTORE_DISK_TIER_SIZE", "4G");
    private static final int PROMPTS = 16;

    // A block that leaves memory while the disk is busy is dropped. It leaves memory again after it was read again.
    private static final int MOST_PASSES = 20;
    private static final double FEW = 0.01;
    private static final double MOST = 0.9;
    private static final double MILLI = 1e-3;
    private static final double GIGABYTE = 1e9;

    private DiskTrial() {}

    static void run(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane", SETTINGS, StorageLatency.NONE)) {
            ComputedPrompts stock = subject.stock("limits/disk", PROMPTS);
            bringToDisk(subject, stock);
            requireDirect(subject);
            MainJobOperation read = new MainJobReads.Streaming(subject.client(), stock, false, new AtomicLong());
            List<LimitCase> cases = new ArrayList<>();
            for (int clients : scene.options().clients()) {
                cases.add(new LimitCase(READ, clients, time -> rate(subject, read, clients, time)));
                if (scene.programs().paths().containsKey(PeerProgram.FIO)) {
                    String fio = scene.programs().path(PeerProgram.FIO);
                    List<Path> regions = regions(subject.disk());
                    cases.add(new LimitCase(FIO, clients, time -> rate(fio, regions, clients, time)));
                }
            }
            scene.run(cases);
        }
    }

    private static void bringToDisk(MeasuredDataPlane subject, ComputedPrompts stock) throws InterruptedException {
        long blocks = (long) PROMPTS * MeasuredDataPlane.PROMPT_BLOCKS;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Map<String, Double> calls = new TreeMap<>();
            long _ = DataPlaneUse.during(() -> DataPlaneUse.of(List.of(subject.dataPlane())), calls, () -> {
                MainJobReads.heat(subject.client(), stock);
                return blocks;
            });
            if (DataPlaneUse.reads(calls) <= FEW * blocks) {
                return;
            }
        }
        throw new IllegalStateException(
                "after " + MOST_PASSES + " passes some of the " + blocks + " blocks are still not on the disk");
    }

    /** Through the page cache it would not be the disk that is measured. */
    private static void requireDirect(MeasuredDataPlane subject) throws IOException {
        try (InputStream health = subject.dataPlane()
                .metricsUrl()
                .resolve("/q/health/ready")
                .toURL()
                .openStream()) {
            if (!new String(health.readAllBytes(), UTF_8).contains("direct I/O")) {
                throw new IllegalStateException(
                        "the disk tier goes through the page cache: name a --folder on a disk that has O_DIRECT");
            }
        }
    }

    private static List<Path> regions(Path disk) throws IOException {
        try (Stream<Path> files = Files.list(disk)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("region-")
                            && file.toFile().length() >= RECORD_BYTES)
                    .sorted()
                    .toList();
        }
    }

    private static Map<Quantity, Double> rate(
            MeasuredDataPlane subject, MainJobOperation read, int clients, Duration time)
            throws IOException, InterruptedException {
        double before = onDisk(subject);
        OperationMeasurement measurement = subject.measureHot(read, clients, time);
        double found = onDisk(subject) - before;
        if (found < MOST * measurement.blocks()) {
            throw new IllegalStateException(
                    "of %,d blocks only %.0f came from the disk".formatted(measurement.blocks(), found));
        }
        return MeasuredDataPlane.rate(measurement);
    }

    private static double onDisk(MeasuredDataPlane subject) {
        return subject.dataPlane().metrics().sum("kvstore_disk_tier_hits_total");
    }

    private static Map<Quantity, Double> rate(String fio, List<Path> files, int threads, Duration time)
            throws InterruptedException {
        ProgramRun run = ProgramRun.of(command(fio, files, threads, time)).orThrow(FIO);
        double rate = FioOutput.bytesPerSecond(run.output(), "read") / GIGABYTE;
        return Map.of(Quantity.RATE, rate, Quantity.CPU, run.cpuSeconds() / (rate * time.toMillis() * MILLI));
    }

    /**
     * A command line of threads, each of which reads one piece after the other.
     *
     * @param fio path of the program
     * @param files there already, and only read; in fio's list of names a colon parts them
     */
    static List<String> command(String fio, List<Path> files, int threads, Duration time) {
        String names = files.stream()
                .map(file -> file.toString().replace("\\", "\\\\").replace(":", "\\:"))
                .collect(Collectors.joining(":"));
        return Programs.command("""
                %s --name=read --readonly --rw=randread --direct=1 --ioengine=psync --thread --norandommap --randrepeat=0
                --bs=%s --filename=%s --numjobs=%s --group_reporting --time_based --runtime=%sms --output-format=json""", fio, RECORD_BYTES, names, threads, time.toMillis());
    }
}
