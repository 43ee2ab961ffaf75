package dev.kvstore.dataplane.tier.disk;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.filesystem.DirectIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Records on disk, and their index. When no region is free, the oldest one is dropped as a whole; records of it that
 * were read since they were written are written again first, up to half a region of them. Any thread may read; one
 * thread does everything else.
 */
final class DiskLog implements AutoCloseable {
    /** How long the log uses only its present regions after the disk had no room for another one. */
    private static final Duration FULL = Duration.ofMinutes(10);

    /** Regions read at the same time while loading: as many as a local disk can answer at once. */
    private static final int LOADERS = 8;

    private final Folder folder;
    private final DiskRegions regions;
    private final DiskIndex index = new DiskIndex();
    private final ByteBuffer page;
    private final int regionPages;
    private final Survivors survivors;
    private final DiskCounters counters;
    private final Ticker ticker;
    private long mayCreateFrom;

    private DiskLog(
            Folder folder,
            DiskRegions regions,
            ByteBuffer page,
            DiskSettings settings,
            Survivors survivors,
            DiskCounters counters,
            Ticker ticker) {
        this.folder = folder;
        this.regions = regions;
        this.page = page;
        this.regionPages = settings.regionPages();
        this.survivors = survivors;
        this.counters = counters;
        this.ticker = ticker;
        this.mayCreateFrom = ticker.read();
    }

    /**
     * Opens the log in a folder, without loading it.
     *
     * @throws IOException if the folder cannot be used; the message says why
     */
    static DiskLog open(DiskSettings settings, DiskMark mark, Survivors survivors, DiskCounters counters, Ticker ticker)
            throws IOException {
        ByteBuffer page = DirectIo.newPage();
        Folder folder = Folder.open(settings.folder(), mark, page);
        try {
            DiskRegions regions = DiskRegions.open(
                    folder,
                    settings.regions(),
                    settings.regionPages(),
                    page,
                    e -> counters.errors().increment());
            return new DiskLog(folder, regions, page, settings, survivors, counters, ticker);
        } catch (IOException e) {
            folder.close();
            throw e;
        }
    }

    /** The way in which files are opened, as a text. */
    String mode() {
        return folder.mode();
    }

    /** Fails if the folder cannot be used any more. */
    void probe() throws IOException {
        folder.probe(page);
    }

    /** Reads the directories of all regions into the index, before readers use it. */
    void load() throws InterruptedException, IOException {
        Deque<Future<List<Directory>>> ahead = new ArrayDeque<>();
        try (ExecutorService loaders = Executors.newFixedThreadPool(
                LOADERS, Thread.ofPlatform().daemon().name("disk-load-", 0).factory())) {
            for (RegionFile region : regions.sealed()) {
                ahead.addLast(loaders.submit(() -> recover(region)));
                if (ahead.size() > 2 * LOADERS) {
                    index(ahead.removeFirst());
                }
            }
            while (!ahead.isEmpty()) {
                index(ahead.removeFirst());
            }
        }
        regions.reopenNewest();
        keepOneFree();
    }

    private List<Directory> recover(RegionFile region) {
        List<Directory> found = new ArrayList<>();
        try {
            region.recover(DirectIo.newPage(), found::add);
        } catch (IOException e) {
            // Records before the damage are good; the rest is overwritten in time.
            counters.errors().increment();
        }
        return found;
    }

    /** Applies directories in the order in which they were written, so that the last entry of a record counts. */
    private void index(Future<List<Directory>> recovered) throws InterruptedException, IOException {
        try {
            for (Directory directory : recovered.get()) {
                for (Directory.DirectoryEntry entry : directory.entries()) {
                    DiskAddress address = entry.place();
                    if (address == null) {
                        index.remove(entry.key());
                    } else {
                        index.put(entry.key(), address);
                    }
                }
            }
        } catch (ExecutionException e) {
            throw new IOException(folder.path() + ": cannot be loaded", e);
        }
    }

    /** Forgets all loaded records. */
    void startEmpty() {
        regions.freeAll();
        index.clear();
    }

    DiskIndex index() {
        return index;
    }

    /**
     * Reads a record into memory of its length. The bytes may be another record's, if the index has another address, or
     * none, by then.
     */
    void read(DiskAddress address, BlockMemory memory) throws IOException {
        RegionFile region = regions.region(address.region());
        if (region == null) {
            throw new IOException(folder.region(address.region()) + ": is gone");
        }
        region.read(address, memory);
    }

    /** Most pages of the next batch; {@link #advance} must come first if there are 0. */
    int room() {
        RegionFile current = regions.current();
        return current == null ? 0 : current.room();
    }

    /** Writes a batch; returns the places of its blocks, of which the index knows nothing yet. */
    Map<RecordKey, DiskAddress> write(DemotionQueue.Batch batch) throws IOException {
        List<Directory.DirectoryEntry> entries = new ArrayList<>();
        for (RecordKey key : batch.forgotten()) {
            entries.add(new Directory.DirectoryEntry(key, null));
        }
        List<ByteBuffer> blocks = new ArrayList<>();
        Map<RecordKey, DiskAddress> places = new HashMap<>();
        RegionFile current = open();
        int at = current.end() + 1;
        for (Map.Entry<RecordKey, StoredBlock> block : batch.blocks().entrySet()) {
            BlockMemory memory = block.getValue().memory();
            DiskAddress address = new DiskAddress(current.number(), at, memory.length());
            at += DiskAddress.pages(memory.length());
            places.put(block.getKey(), address);
            entries.add(new Directory.DirectoryEntry(block.getKey(), address));
            blocks.add(memory.pages());
        }
        current.append(page, entries, blocks);
        return places;
    }

    private RegionFile open() throws IOException {
        RegionFile current = regions.current();
        if (current == null) {
            throw new IOException(folder.path() + ": no region is open");
        }
        return current;
    }

    /** Continues in another region, and frees one more after it. */
    void advance() throws IOException {
        if (!advanceFreely()) {
            RegionFile oldest = regions.oldest()
                    .orElseThrow(() -> new IOException(folder.path() + ": there is no room for a region"));
            counters.evictions().add(index.removeRegion(oldest.number()));
            regions.freeOldest();
            regions.advance(false);
        }
        keepOneFree();
    }

    private boolean advanceFreely() throws IOException {
        try {
            return regions.advance(ticker.read() - mayCreateFrom >= 0);
        } catch (IOException e) {
            if (regions.count() < 2) {
                throw e;
            }
            counters.errors().increment();
            mayCreateFrom = ticker.read() + FULL.toNanos();
            return false;
        }
    }

    private void keepOneFree() {
        RegionFile current = regions.current();
        RegionFile oldest = regions.oldest().orElse(null);
        if (current == null || oldest == null || !regions.isFull()) {
            return;
        }
        try {
            survivors.move(oldest, current, index, page, regionPages / 2);
        } catch (IOException e) {
            // The cache loses the region's records, and nothing else.
            counters.errors().increment();
        }
        counters.evictions().add(index.removeRegion(oldest.number()));
        regions.freeOldest();
    }

    /** Leaves the region of a failed write: the next batch goes to another; a region without batches is given back. */
    void abandon() {
        try {
            if (regions.abandon() && regions.count() >= 2) {
                mayCreateFrom = ticker.read() + FULL.toNanos();
            }
        } catch (IOException e) {
            counters.errors().increment();
        }
    }

    /** Bytes of all regions, counting each as if it were full. */
    long usedBytes() {
        return (long) regions.count() * regionPages * BlockMemory.PAGE_BYTES;
    }

    @Override
    public void close() throws IOException {
        try {
            regions.close();
        } finally {
            folder.close();
        }
    }
}
