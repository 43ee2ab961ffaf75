package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.MainJobWrites;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.benchmark.peers.Clearing;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes, each durable before it is acknowledged, beside writing and syncing files of the same length directly. */
final class WriteTrial implements LimitTrial {
    static final String WRITE = "Write";
    static final String FILES = "files, written and synced";

    /** Ends a measurement, should blocks not be emptied as fast as they come. */
    private static final long MOST_BYTES = 4_000_000_000L;

    @Override
    public int steps(LimitsOptions options) {
        return LimitRounds.steps(options, 2 * options.clients().size());
    }

    @Override
    public void run(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane")) {
            Path storage = subject.storage();
            Path aside = scene.folder().resolve("aside");
            MainJobWrites writes =
                    new MainJobWrites(subject.client(), MeasuredDataPlane.BLOCK_BYTES, storage, aside);
            Path folder = scene.folder().resolve("files");
            DurableFiles files = new DurableFiles(folder, aside, fileBytes(subject), MeasuredDataPlane.BLOCK_BYTES);
            List<LimitCase> cases = new ArrayList<>();
            for (int clients : scene.options().clients()) {
                cases.add(new LimitCase(
                        WRITE,
                        clients,
                        time -> rate(subject, writes, storage, MainJobWrites.PARTITION, clients, time)));
                cases.add(new LimitCase(
                        FILES, clients, time -> rate(subject, files, folder, DurableFiles.PARTITION, clients, time)));
            }
            LimitRounds.run(scene, cases);
        }
    }

    /** How long the file of a block is, its header with it. */
    private static int fileBytes(MeasuredDataPlane subject) throws IOException, InterruptedException {
        Partition partition = subject.store("limits/one", 1).where();
        return Math.toIntExact(StoredBlocks.fileBytes(subject.storage(), partition));
    }

    private static Map<Quantity, Double> rate(
            MeasuredDataPlane subject,
            MainJobOperation writes,
            Path storage,
            Partition partition,
            int clients,
            Duration time)
            throws IOException, InterruptedException {
        OperationMeasurement measurement;
        // Blocks are emptied again while others are written, so that they use little of the disk.
        try (Clearing _ =
                new Clearing(storage, partition, MeasuredDataPlane.BLOCK_BYTES, InstantSource.system())) {
            measurement = OperationMeasurement.of(subject.dataPlane(), writes, clients, time, MOST_BYTES);
        }
        writes.finish();
        return MeasuredDataPlane.rate(measurement);
    }
}
