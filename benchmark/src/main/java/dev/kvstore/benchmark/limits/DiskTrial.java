package dev.kvstore.benchmark.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.benchmark.mainjob.MainJobCalls;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.ProgramRun;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Streams from a disk tier that holds all, under a memory that holds next to nothing, beside fio on the tier's own
 * files.
 */
final class DiskTrial implements LimitTrial {
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

    @Override
    public int steps(LimitsOptions options) {
        return LimitRounds.steps(options, 2 * options.clients().size());
    }

    @Override
    public void run(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane", SETTINGS, StorageLatency.NONE)) {
            MainJobCalls calls = MainJobCalls.of(subject.client(), subject.store("limits/disk", PROMPTS));
            bringToDisk(subject, calls);
            requireDirect(subject);
            MainJobOperation read = calls.streams();
            boolean compared = scene.programs().paths().containsKey(PeerProgram.FIO);
            List<LimitCase> cases = new ArrayList<>();
            for (int clients : scene.options().clients()) {
                cases.add(new LimitCase(READ, clients, time -> rate(subject, read, clients, time)));
                if (compared) {
                    Fio fio = new Fio(scene.programs().path(PeerProgram.FIO), regions(subject.disk()), RECORD_BYTES);
                    cases.add(new LimitCase(FIO, clients, time -> rate(fio, clients, time)));
                }
            }
            LimitRounds.run(scene, cases);
        }
    }

    private static void bringToDisk(MeasuredDataPlane subject, MainJobCalls calls) {
        long blocks = (long) PROMPTS * MeasuredDataPlane.PROMPT_BLOCKS;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            DataPlaneUse before = DataPlaneUse.of(List.of(subject.dataPlane()));
            calls.heat();
            DataPlaneUse after = DataPlaneUse.of(List.of(subject.dataPlane()));
            if (after.since(before).fromStorage() <= FEW * blocks) {
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
            String said = new String(health.readAllBytes(), UTF_8);
            if (!said.contains("direct I/O")) {
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
            throws InterruptedException {
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

    private static Map<Quantity, Double> rate(Fio fio, int threads, Duration time) throws InterruptedException {
        ProgramRun run = ProgramRun.of(fio.command(threads, time)).orThrow(FIO);
        double rate = Fio.gigabytesPerSecond(run.output());
        double seconds = time.toMillis() * MILLI;
        return Map.of(Quantity.RATE, rate, Quantity.CPU, run.cpuSeconds() / (rate * seconds));
    }
}
