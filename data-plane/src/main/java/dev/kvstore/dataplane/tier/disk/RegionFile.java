package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.filesystem.PrivateFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One file of the log: batches one after the other, each a {@link Directory} and the blocks it names. Anyone may read
 * at any time; one thread at a time does everything else. Nothing is synced: the log is a cache, and checksums tell
 * which batches a crash has torn.
 */
final class RegionFile implements AutoCloseable {
    private final int number;
    private final Path path;
    private final FileChannel channel;
    private final int pages;
    private long generation;
    private int end;
    private int lastCrc32c;

    private RegionFile(int number, Path path, FileChannel channel, int pages) {
        this.number = number;
        this.path = path;
        this.channel = channel;
        this.pages = pages;
    }

    /**
     * Opens the file of a region, made if it is missing. The file's room is promised, not yet taken.
     *
     * @param pages the file's fixed size
     * @param options further options besides reading and writing
     */
    static RegionFile open(int number, Path path, int pages, Set<OpenOption> options) throws IOException {
        Set<OpenOption> all = new HashSet<>(options);
        all.addAll(List.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        PrivateFiles.close(path);
        FileChannel channel = PrivateFiles.open(path, all);
        try {
            long bytes = (long) pages * BlockMemory.PAGE_BYTES;
            if (channel.size() > bytes) {
                channel.truncate(bytes);
            }
            return new RegionFile(number, path, channel, pages);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Learns the region's generation from its first batch; the generation stays 0 if there is none.
     *
     * @param page to read into, aligned
     */
    void peek(ByteBuffer page) throws IOException {
        if (channel.size() >= Directory.BYTES) {
            readFully(page.clear().limit(Directory.BYTES), 0);
            Directory first = Directory.read(page, number);
            generation = first == null || first.page() != 0 ? 0 : first.generation();
        }
    }

    /**
     * Reads the region's batches in order until one is no continuation of the one before, and goes on appending from
     * there.
     *
     * @param page to read into, aligned
     */
    void recover(ByteBuffer page, Consumer<Directory> found) throws IOException {
        end = 0;
        lastCrc32c = 0;
        long there = Math.min(pages, channel.size() / BlockMemory.PAGE_BYTES);
        while (end < there) {
            readFully(page.clear().limit(Directory.BYTES), end);
            Directory directory = Directory.read(page, number);
            if (directory == null
                    || directory.page() != end
                    || directory.previous() != lastCrc32c
                    || directory.page() + directory.pages() > there
                    || directory.generation() != generation) {
                return;
            }
            end += directory.pages();
            lastCrc32c = directory.crc32c();
            found.accept(directory);
        }
    }

    /** Starts over: the old content is overwritten from the first page on. */
    void begin(long newGeneration) {
        generation = newGeneration;
        end = 0;
        lastCrc32c = 0;
    }

    /**
     * Appends a batch.
     *
     * @param directory a page to write its directory in, aligned
     * @param blocks padded to whole pages, aligned, in the order of the entries that have a place
     */
    void append(ByteBuffer directory, List<Directory.DirectoryEntry> entries, List<ByteBuffer> blocks)
            throws IOException {
        long bytes = Directory.BYTES;
        ByteBuffer[] all = new ByteBuffer[1 + blocks.size()];
        for (int i = 0; i < blocks.size(); i++) {
            all[1 + i] = blocks.get(i);
            bytes += blocks.get(i).remaining();
        }
        int batch = (int) (bytes / BlockMemory.PAGE_BYTES);
        all[0] = directory.clear().limit(Directory.BYTES);
        int crc32c = Directory.write(directory, generation, end, batch, lastCrc32c, entries);
        channel.position((long) end * BlockMemory.PAGE_BYTES);
        long written = channel.write(all);
        if (written != bytes) {
            throw new IOException(path + ": took " + written + " of " + bytes + " bytes; the disk may be full");
        }
        end += batch;
        lastCrc32c = crc32c;
    }

    /** Reads a record into memory of its length. */
    void read(DiskAddress address, BlockMemory memory) throws IOException {
        readFully(memory.pages(), address.page());
    }

    private void readFully(ByteBuffer target, int page) throws IOException {
        long from = (long) page * BlockMemory.PAGE_BYTES;
        int begin = target.position();
        while (target.hasRemaining()) {
            int read = channel.read(target, from + target.position() - begin);
            // Only the last, torn page of a file yields a part of a page.
            if (read <= 0 || (target.hasRemaining() && read % BlockMemory.PAGE_BYTES != 0)) {
                throw new EOFException(path + ": ends early");
            }
        }
    }

    int number() {
        return number;
    }

    /** The generation, greater for regions begun later; 0 if the region was never begun, or is of another format. */
    long generation() {
        return generation;
    }

    /** The page at which the next batch begins; 0 while there is none. */
    int end() {
        return end;
    }

    /** Pages left for the next batch. */
    int room() {
        return pages - end;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Gives the region's room back to the disk. */
    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
