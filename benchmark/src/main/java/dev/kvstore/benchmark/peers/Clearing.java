package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Empties old blocks while new blocks are written. So the same memory, or the same part of a disk, is written again and
 * again, as in a server that overwrites its values. Memory that was never used before costs a virtual machine several
 * times as much, since its host has to provide it. Small blocks stay: they are many, and take little together.
 */
public final class Clearing implements AutoCloseable {
    private static final int SMALL_BYTES = 64 << 10;
    private static final Duration KEPT = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Path blocks;
    private final CallLoad load = new CallLoad();

    /** @param storage the folder that a data plane uses as its storage */
    public Clearing(Path storage, Partition partition, int blockBytes, InstantSource clock) {
        this.blocks = storage.resolve("blobs/kv/v1").resolve(partition.root().hex());
        if (blockBytes >= SMALL_BYTES) {
            var _ = load.pausing(1, PAUSE, _ -> emptyBefore(clock.instant().minus(KEPT)));
        }
    }

    /** Files that it fails to empty are deleted with the rest when the measurement is over, or are reported then. */
    private void emptyBefore(Instant limit) {
        try (Stream<Path> files = Files.find(
                blocks,
                2,
                (file, attributes) -> attributes.isRegularFile()
                        && attributes.size() > 0
                        && attributes.lastModifiedTime().toInstant().isBefore(limit)
                        && isBlock(blocks.relativize(file)))) {
            List<Path> old = files.toList();
            for (Path file : old) {
                StoredBlocks.empty(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // Nothing was written yet, or a file went.
        }
    }

    /** Beside the folders of blocks, named by two digits, is what the data plane keeps of the partition. */
    private static boolean isBlock(Path file) {
        return file.getNameCount() == 2 && file.getName(0).toString().length() == 2;
    }

    /** Returns when nothing is emptied any more. */
    @Override
    public void close() {
        load.close();
    }
}
