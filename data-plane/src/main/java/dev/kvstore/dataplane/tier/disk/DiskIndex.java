package dev.kvstore.dataplane.tier.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The places of records: 32 to 64 bytes of heap a record, in stripes that are locked one at a time. Thread-safe. */
final class DiskIndex {
    private static final int STRIPES = 256;

    /** A record and its place. */
    record IndexEntry(RecordKey key, DiskAddress place) {}

    private final List<IndexStripe> stripes =
            Stream.generate(IndexStripe::new).limit(STRIPES).toList();

    private IndexStripe stripe(RecordKey key) {
        return stripes.get((int) (key.high() >>> 56));
    }

    boolean contains(RecordKey key) {
        return stripe(key).find(key, false) != null;
    }

    /** The place of a record that is about to be read, or null. */
    @Nullable
    DiskAddress read(RecordKey key) {
        return stripe(key).find(key, true);
    }

    void put(RecordKey key, DiskAddress place) {
        stripe(key).put(key, place);
    }

    /** Moves a record, unless it is elsewhere by now. */
    boolean replace(RecordKey key, DiskAddress from, DiskAddress to) {
        return stripe(key).replace(key, from, to);
    }

    boolean remove(RecordKey key) {
        return stripe(key).remove(key);
    }

    void clear() {
        stripes.forEach(IndexStripe::clear);
    }

    boolean isAt(RecordKey key, DiskAddress place) {
        return stripe(key).isAt(key, place);
    }

    /** Removes the records of a region; returns how many there were. */
    int removeRegion(int region) {
        return stripes.stream().mapToInt(stripe -> stripe.removeRegion(region)).sum();
    }

    /** Records of a region that were read since they were written, as many as fit so many pages. */
    List<IndexEntry> read(int region, int maxPages) {
        List<IndexEntry> entries = new ArrayList<>();
        for (IndexStripe stripe : stripes) {
            stripe.visitRead(region, (key, place) -> entries.add(new IndexEntry(key, place)));
        }
        int pages = 0;
        int fitting = 0;
        while (fitting < entries.size()
                && pages + DiskAddress.pages(entries.get(fitting).place().length()) <= maxPages) {
            pages += DiskAddress.pages(entries.get(fitting).place().length());
            fitting++;
        }
        return entries.subList(0, fitting);
    }

    /** Number of records. */
    long size() {
        return stripes.stream().mapToLong(IndexStripe::size).sum();
    }
}
