package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.limits.LimitScene.LimitCase;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.MainJobWrites;
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
final class WriteTrial {
    static final String WRITE = "Write";
    static final String FILES = "files, written and synced";

    private WriteTrial() {}

    static void run(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane")) {
            Path storage = subject.storage();
            Path aside = scene.folder().resolve("aside");
            MainJobWrites writes = new MainJobWrites(
                    subject.client(),
                    MeasuredDataPlane.BLOCK_BYTES,
                    DurableFiles.MOST_BYTES,
                    partition -> StoredBlocks.putAside(storage, partition, aside));
            Path folder = scene.folder().resolve("files");
            Partition one = subject.stock("limits/one", 1, 1, MeasuredDataPlane.BLOCK_BYTES)
                    .prompts()
                    .getFirst()
                    .partition();
            int fileBytes = Math.toIntExact(StoredBlocks.fileBytes(storage, one));
            DurableFiles files = new DurableFiles(folder, aside, fileBytes);
            List<LimitCase> cases = new ArrayList<>();
            for (int clients : scene.options().clients()) {
                cases.add(new LimitCase(
                        WRITE, clients, time -> rate(subject, writes, storage, writes.partition(), clients, time)));
                cases.add(new LimitCase(
                        FILES, clients, time -> rate(subject, files, folder, DurableFiles.PARTITION, clients, time)));
            }
            scene.run(cases);
        }
    }

    /** Blocks are emptied again while others are written, so that they use little of the disk. */
    private static Map<Quantity, Double> rate(
            MeasuredDataPlane subject,
            MainJobOperation writes,
            Path storage,
            Partition partition,
            int clients,
            Duration time)
            throws IOException, InterruptedException {
        try (Clearing _ = new Clearing(storage, partition, MeasuredDataPlane.BLOCK_BYTES, InstantSource.system())) {
            return MeasuredDataPlane.rate(subject.measure(writes, clients, time));
        }
    }
}
