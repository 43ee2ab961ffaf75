package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.memory.MemoryPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the wanted blocks of a region that is given up again, as far as there is memory for them at once. For one
 * thread.
 */
record Survivors(MemoryPool pool, ByteBudget budget) {
    /** Most bytes written at once, unless one record has more. */
    private static final int BATCH_BYTES = 16 << 20;

    /**
     * Copies records that were read since they were written, within the free rest of the target.
     *
     * @param page for directories, aligned
     * @param maxPages most pages copied
     */
    void move(RegionFile from, RegionFile to, DiskIndex index, ByteBuffer page, int maxPages) throws IOException {
        List<DiskIndex.IndexEntry> wanted = index.read(from.number(), maxPages);
        int next = 0;
        while (next < wanted.size()) {
            int copied = moveBatch(wanted.subList(next, wanted.size()), from, to, index, page);
            if (copied == 0) {
                return;
            }
            next += copied;
        }
    }

    private int moveBatch(
            List<DiskIndex.IndexEntry> wanted, RegionFile from, RegionFile to, DiskIndex index, ByteBuffer page)
            throws IOException {
        List<BlockMemory> memories = new ArrayList<>();
        List<Directory.DirectoryEntry> entries = new ArrayList<>();
        try {
            int at = to.end() + 1;
            long bytes = 0;
            for (DiskIndex.IndexEntry entry : wanted) {
                DiskAddress address = entry.place();
                int pages = DiskAddress.pages(address.length());
                boolean full = bytes >= BATCH_BYTES || entries.size() == Directory.MAX_ENTRIES;
                BlockMemory memory = full || at + pages - to.end() > to.room() ? null : allocate(address.length());
                if (memory == null) {
                    break;
                }
                memories.add(memory);
                from.read(address, memory);
                entries.add(
                        new Directory.DirectoryEntry(entry.key(), new DiskAddress(to.number(), at, address.length())));
                at += pages;
                bytes += memory.takenBytes();
            }
            if (entries.isEmpty()) {
                return 0;
            }
            List<ByteBuffer> blocks = memories.stream().map(BlockMemory::pages).toList();
            to.append(page, entries, blocks);
            for (int i = 0; i < entries.size(); i++) {
                DiskAddress moved = entries.get(i).place();
                if (moved != null) {
                    index.replace(wanted.get(i).key(), wanted.get(i).place(), moved);
                }
            }
            return entries.size();
        } finally {
            for (BlockMemory memory : memories) {
                budget.giveBack(memory.takenBytes());
                memory.release();
            }
        }
    }

    private @Nullable BlockMemory allocate(int length) {
        int bytes = BlockMemory.padded(length);
        if (!budget.tryTake(bytes)) {
            return null;
        }
        BlockMemory memory = pool.tryAllocate(length);
        if (memory == null) {
            budget.giveBack(bytes);
        }
        return memory;
    }
}
