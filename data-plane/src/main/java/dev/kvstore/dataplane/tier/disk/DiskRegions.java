package dev.kvstore.dataplane.tier.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a log: one is appended to, the others are sealed, oldest first, or free. Anyone may look one up by its
 * number; one thread does everything else.
 */
final class DiskRegions implements AutoCloseable {
    private final Folder folder;
    private final int pages;
    private final Set<Integer> unusable = new HashSet<>();
    private final Map<Integer, RegionFile> all = new ConcurrentHashMap<>();
    private final Deque<RegionFile> free = new ArrayDeque<>();
    private final Deque<RegionFile> sealed = new ArrayDeque<>();
    private @Nullable RegionFile open;
    private long generation;
    private int most;

    private DiskRegions(Folder folder, int most, int pages) {
        this.folder = folder;
        this.most = most;
        this.pages = pages;
    }

    /**
     * Opens the existing regions, and deletes the oldest ones beyond the budget.
     *
     * @param most most regions
     * @param pages of each region
     * @param page of memory to read into, aligned
     * @param fault is told of files that cannot be read
     */
    static DiskRegions open(Folder folder, int most, int pages, ByteBuffer page, RegionFault fault) throws IOException {
        DiskRegions regions = new DiskRegions(folder, most, pages);
        try {
            for (int number : folder.regions()) {
                regions.find(number, page, fault);
            }
            List<RegionFile> oldestFirst = new ArrayList<>(regions.all.values());
            oldestFirst.sort(Comparator.comparing(RegionFile::generation));
            for (RegionFile region : oldestFirst) {
                if (regions.all.size() > regions.most) {
                    regions.delete(region);
                } else {
                    (region.generation() == 0 ? regions.free : regions.sealed).addLast(region);
                    regions.generation = region.generation();
                }
            }
            return regions;
        } catch (IOException e) {
            regions.close();
            throw e;
        }
    }

    private void find(int number, ByteBuffer page, RegionFault fault) {
        try {
            RegionFile region = RegionFile.open(number, folder.region(number), pages, folder.options());
            all.put(number, region);
            region.peek(page);
        } catch (IOException e) {
            fault.with(e);
            if (!all.containsKey(number)) {
                // The file takes up room, whatever it is.
                unusable.add(number);
                most--;
            }
        }
    }

    /** Receives the failure of a file operation. */
    @FunctionalInterface
    interface RegionFault {
        void with(IOException e);
    }

    /** Sealed regions, the oldest first. */
    List<RegionFile> sealed() {
        return List.copyOf(sealed);
    }

    /** Goes on appending to the newest region that was sealed. */
    void reopenNewest() {
        open = sealed.pollLast();
    }

    /** Frees all regions, to be overwritten. */
    void freeAll() {
        seal();
        free.addAll(sealed);
        sealed.clear();
    }

    /** The region appended to, or null. */
    @Nullable
    RegionFile current() {
        return open;
    }

    /** Whether a region must be given up before the next one can be filled. */
    boolean isFull() {
        return free.isEmpty() && all.size() >= most;
    }

    /** The oldest sealed region. */
    Optional<RegionFile> oldest() {
        return Optional.ofNullable(sealed.peekFirst());
    }

    /** Frees the oldest sealed region, in which nothing is wanted any more. */
    void freeOldest() {
        free.addLast(sealed.removeFirst());
    }

    /**
     * Seals the region appended to, and begins another: a free one, else a new one.
     *
     * @return false if there is neither, or no new one may be made
     */
    boolean advance(boolean mayCreate) throws IOException {
        RegionFile next = free.pollFirst();
        if (next == null && mayCreate && all.size() < most) {
            next = create();
        }
        if (next == null) {
            return false;
        }
        seal();
        next.begin(++generation);
        open = next;
        return true;
    }

    private void seal() {
        if (open != null) {
            sealed.addLast(open);
        }
        open = null;
    }

    private RegionFile create() throws IOException {
        int number = 0;
        while (all.containsKey(number) || unusable.contains(number)) {
            number++;
        }
        if (number >= DiskAddress.MAX_REGIONS) {
            throw new IOException(folder.path() + ": has too few usable regions");
        }
        RegionFile region = RegionFile.open(number, folder.region(number), pages, folder.options());
        all.put(number, region);
        return region;
    }

    /**
     * Leaves the region appended to, after a failure: one that has batches is sealed, one that has none deleted.
     *
     * @return whether it was deleted
     */
    boolean abandon() throws IOException {
        RegionFile region = open;
        if (region == null || region.end() > 0) {
            seal();
            return false;
        }
        open = null;
        delete(region);
        return true;
    }

    private void delete(RegionFile region) throws IOException {
        all.remove(region.number());
        region.delete();
    }

    /** The region of this number, or null if there is none any more. */
    @Nullable
    RegionFile region(int number) {
        return all.get(number);
    }

    int count() {
        return all.size();
    }

    @Override
    public void close() throws IOException {
        for (RegionFile region : all.values()) {
            region.close();
        }
    }
}
