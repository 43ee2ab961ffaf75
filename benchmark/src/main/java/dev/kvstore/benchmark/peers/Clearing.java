package dev.kvstore.benchmark.peers;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Empties old blocks while new blocks are written. So the same memory, or the same part of a disk, is written again and
 * again, as in a server that overwrites its values. Memory that was never used before costs a virtual machine several
 * times as much, since its host has to provide it. Small blocks stay: they are many, and take little together.
 */
public final class Clearing implements AutoCloseable {
    private static final int SMALL_BYTES = 64 << 10;
    private static final Duration KEPT = Duration.ofMillis(500);
    private static final long PAUSE_MILLIS = 100;

    private final Path blocks;
    private final InstantSource clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /** @param storage the folder that a data plane uses as its storage */
    public Clearing(Path storage, Partition partition, int blockBytes, InstantSource clock) {
        this.blocks = storage.resolve("blobs/kv/v1").resolve(partition.root().hex());
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("clearing").unstarted(this::clear);
        if (blockBytes >= SMALL_BYTES) {
            thread.start();
        }
    }

    private void clear() {
        try {
            while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                if (Files.isDirectory(blocks)) {
                    emptyBefore(clock.instant().minus(KEPT));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Files that it fails to empty are deleted with the rest when the measurement is over, or are reported then. */
    private void emptyBefore(Instant limit) {
        List<Path> old;
        try (Stream<Path> files = Files.find(
                blocks,
                2,
                (file, attributes) -> attributes.isRegularFile()
                        && attributes.size() > 0
                        && attributes.lastModifiedTime().toInstant().isBefore(limit)
                        && isBlock(blocks.relativize(file)))) {
            old = files.toList();
        } catch (IOException | UncheckedIOException e) {
            return;
        }
        for (Path file : old) {
            try {
                StoredBlocks.empty(file);
            } catch (IOException e) {
                return;
            }
        }
    }

    /** Beside the folders of blocks, named by two digits, is what the data plane keeps of the partition. */
    private static boolean isBlock(Path file) {
        return file.getNameCount() == 2 && file.getName(0).toString().length() == 2;
    }

    /** Returns when nothing is emptied any more, or when it is interrupted. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
