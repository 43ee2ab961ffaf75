package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.ClientSample;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The files of blocks without a data plane: each as durable as the filesystem backend makes it, and in the same places.
 * A temporary file is written and synced, gets its name by a hard link, and the folder of that name is synced.
 */
final class DurableFiles implements MainJobOperation {
    /** The partition whose folders the files lie in. */
    static final Partition PARTITION = Partition.of("limits/files");

    // The name from which the bytes are generated; any name would do.
    private static final BlockHash SEED = new BlockHash(1, 2, 3, 4);

    /** Ends a measurement, should files not be emptied as fast as they come. */
    static final long MOST_BYTES = 4_000_000_000L;

    private static final int FOLDERS = 256;

    private final Path storage;
    private final Path aside;
    private final Path temporary;
    private final Path blocks;
    private final ByteBuffer content;
    private final AtomicLong number = new AtomicLong();
    private final AtomicReference<@Nullable Path> last = new AtomicReference<>();

    /**
     * Files in a folder, which is made.
     *
     * @param aside where those go that were measured
     * @param fileBytes length of each; what counts is a block's buffer
     */
    DurableFiles(Path storage, Path aside, int fileBytes) throws IOException {
        this.storage = storage;
        this.aside = aside;
        this.temporary = Files.createDirectories(storage.resolve("temporary"));
        this.blocks = Files.createDirectories(
                storage.resolve("blobs/kv/v1").resolve(PARTITION.root().hex()));
        this.content = ByteBuffer.allocateDirect(fileBytes);
        Payload.fill(SEED, content);
    }

    @Override
    public long mostBytes() {
        return MOST_BYTES;
    }

    @Override
    public void once(ClientSample sample) {
        long mine = number.getAndIncrement();
        String name = String.format(Locale.ROOT, "%016x", mine);
        Path file = blocks.resolve(String.format(Locale.ROOT, "%02x", mine % FOLDERS))
                .resolve(name);
        long start = System.nanoTime();
        try {
            store(temporary.resolve(name), file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sample.latency.addSince(start);
        sample.blocks.increment();
        sample.bytes.add(MeasuredDataPlane.BLOCK_BYTES);
        last.set(file);
    }

    private void store(Path written, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(written, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = content.duplicate();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Path folder = file.resolveSibling(".").normalize();
        Files.createDirectories(folder);
        Files.createLink(file, written);
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
        Files.delete(written);
    }

    /** Reads back the file that was written last, and puts all files aside. */
    @Override
    public void finish() throws IOException {
        Path file = last.get();
        if (file == null) {
            throw new IllegalStateException("no file was written");
        }
        ByteBuffer read = ByteBuffer.wrap(Files.readAllBytes(file));
        long different = Payload.firstDifference(SEED, content.capacity(), List.of(read));
        if (different >= 0) {
            throw new IllegalStateException("a file read back differs at byte " + different);
        }
        StoredBlocks.putAside(storage, PARTITION, aside);
    }
}
