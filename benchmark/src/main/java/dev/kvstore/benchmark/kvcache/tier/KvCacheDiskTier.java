package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.benchmark.measure.BenchFolder;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * A file for each entry, past the page cache in both directions and synced before a write ends. The files lie in a
 * folder of this tier's own, which goes when it is closed. Thread-safe.
 */
public final class KvCacheDiskTier implements Tier {
    private static final String PREFIX = "kv-cache-";

    private final BenchFolder folder;
    private final NoiseContent content;
    private final OpenOption direct;

    private KvCacheDiskTier(BenchFolder folder, NoiseContent content, OpenOption direct) {
        this.folder = folder;
        this.content = content;
        this.direct = direct;
    }

    /**
     * On the file system of a folder, which is made if it is missing. What earlier processes left there that were
     * killed is deleted.
     *
     * @throws IOException if it takes no files past the page cache; the message says so
     */
    public static KvCacheDiskTier in(Path place, NoiseContent content) throws IOException {
        BenchFolder folder = BenchFolder.ofThisProcess(Files.createDirectories(place), PREFIX);
        try {
            // By its name: javac lets nobody name it without a warning.
            OpenOption direct = (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption")
                    .getField("DIRECT")
                    .get(null);
            KvCacheDiskTier tier = new KvCacheDiskTier(folder, content, direct);
            EntryBytes probe = new EntryBytes(0, 0, NoiseContent.PAGE_BYTES);
            tier.write(probe, new Scratch(), _ -> {});
            tier.delete(probe);
            return tier;
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            folder.close();
            throw new IOException(place + " takes no files past the page cache (O_DIRECT): " + e.getMessage(), e);
        }
    }

    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        long begin = System.nanoTime();
        long device = 0;
        long making = 0;
        try (FileChannel file =
                FileChannel.open(path(blob), Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, direct))) {
            for (long offset = 0; offset < blob.bytes(); offset += Scratch.BYTES) {
                int bytes = (int) Math.min(Scratch.BYTES, blob.bytes() - offset);
                ByteBuffer piece = memory.buffer(pages(bytes));
                long start = System.nanoTime();
                content.fill(blob, offset, memory.segment().asSlice(0, piece.limit()));
                long made = System.nanoTime();
                while (piece.hasRemaining()) {
                    file.write(piece);
                }
                device += System.nanoTime() - made;
                making += made - start;
                moved.accept(bytes);
            }
            long start = System.nanoTime();
            file.force(true);
            device += System.nanoTime() - start;
        }
        return new IoTime(device, System.nanoTime() - begin - device - making);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
        long begin = System.nanoTime();
        long device = 0;
        long checking = 0;
        try (FileChannel file = FileChannel.open(path(blob), Set.of(StandardOpenOption.READ, direct))) {
            for (long offset = 0; offset < blob.bytes(); offset += Scratch.BYTES) {
                int bytes = (int) Math.min(Scratch.BYTES, blob.bytes() - offset);
                ByteBuffer piece = memory.buffer(pages(bytes));
                long start = System.nanoTime();
                while (piece.hasRemaining()) {
                    if (file.read(piece) < 0) {
                        throw new EOFException("the file of entry " + blob.id() + " ends early");
                    }
                }
                long read = System.nanoTime();
                moved.accept(bytes);
                NoiseContent.check(blob, offset, memory.segment().asSlice(0, bytes), check);
                device += read - start;
                checking += System.nanoTime() - read;
            }
        }
        return new IoTime(device, System.nanoTime() - begin - device - checking);
    }

    private static int pages(int bytes) {
        return Math.ceilDiv(bytes, NoiseContent.PAGE_BYTES) * NoiseContent.PAGE_BYTES;
    }

    private Path path(EntryBytes blob) {
        return folder.path().resolve(Long.toString(blob.id()));
    }

    @Override
    public void delete(EntryBytes blob) throws IOException {
        Files.deleteIfExists(path(blob));
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
