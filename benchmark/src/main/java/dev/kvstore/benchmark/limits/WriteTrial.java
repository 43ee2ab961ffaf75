package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.Operation;
import dev.kvstore.benchmark.mainjob.Stock;
import dev.kvstore.benchmark.mainjob.Writes;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes, each durable before it is acknowledged, beside writing and syncing files of the same length directly. */
final class WriteTrial implements Trial {
    static final String WRITE = "Write";
    static final String FILES = "files, written and synced";

    /** Ends a measurement, should blocks not be emptied as fast as they come. */
    private static final long MOST_BYTES = 4_000_000_000L;

    @Override
    public int steps(LimitsOptions options) {
        return Rounds.steps(options, 2 * options.clients().size());
    }

    @Override
    public void run(Scene scene) throws IOException, InterruptedException {
        try (Subject subject = Subject.start(scene, "data-plane")) {
            Path storage = subject.storage();
            Path aside = scene.folder().resolve("aside");
            Writes writes = new Writes(
                    false,
                    subject.client(),
                    Subject.BLOCK_BYTES,
                    MOST_BYTES,
                    partition -> StoredBlocks.putAside(storage, partition, aside));
            Path folder = scene.folder().resolve("files");
            DurableFiles files = new DurableFiles(folder, aside, fileBytes(subject), Subject.BLOCK_BYTES, MOST_BYTES);
            List<Case> cases = new ArrayList<>();
            for (int clients : scene.options().clients()) {
                cases.add(new Case(
                        WRITE, clients, time -> rate(subject, writes, storage, writes.partition(), clients, time)));
                cases.add(new Case(
                        FILES, clients, time -> rate(subject, files, folder, DurableFiles.PARTITION, clients, time)));
            }
            Rounds.run(scene, cases);
        }
    }

    /** How long the file of a block is, its header with it. */
    private static int fileBytes(Subject subject) throws IOException, InterruptedException {
        Stock one = Stock.write(subject.client(), "limits/one", 1, 1, Subject.BLOCK_BYTES);
        Partition partition = one.prompts().getFirst().partition();
        return Math.toIntExact(StoredBlocks.fileBytes(subject.storage(), partition));
    }

    private static Map<Quantity, Double> rate(
            Subject subject, Operation writes, Path storage, Partition partition, int clients, Duration time)
            throws IOException, InterruptedException {
        try (Cleared cleared = new Cleared(writes, storage, partition)) {
            return Subject.rate(subject.measure(cleared, clients, time));
        }
    }
}
