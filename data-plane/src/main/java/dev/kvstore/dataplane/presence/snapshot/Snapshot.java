package dev.kvstore.dataplane.presence.snapshot;

import java.util.ArrayList;
import java.util.List;

/**
 * The blocks of a partition that may be stored, as of some moment: runs of fingerprints, the older before the newer,
 * each many times as large as all after it. Immutable and thread-safe.
 *
 * @param epoch the snapshots of one epoch each have all blocks of the earlier ones; a new epoch begins when a partition
 *     was listed and blocks that are gone were forgotten
 */
public record Snapshot(long epoch, List<FingerprintRun> runs) {
    /**
     * A run stays as it is while it has so many times as many fingerprints as all runs after it. With a higher ratio
     * there are fewer runs, which a question asks one after the other, and more fingerprints are written again.
     */
    private static final int RATIO = 64;

    /**
     * Makes a sieve for each run except the first, which is the largest: most keys that are asked for are in the first
     * run, or in none.
     */
    public Snapshot {
        List<FingerprintRun> all = new ArrayList<>(runs);
        for (int i = 1; i < all.size(); i++) {
            all.set(i, all.get(i).sieved());
        }
        runs = List.copyOf(all);
    }

    /** A snapshot without blocks. */
    public static Snapshot empty(long epoch) {
        return new Snapshot(epoch, List.of());
    }

    /** False only for a block that was not stored at that moment. */
    public boolean mightContain(long key) {
        long fingerprint = Fingerprint.of(key);
        for (FingerprintRun run : runs) {
            if (run.contains(fingerprint)) {
                return true;
            }
        }
        return false;
    }

    /** The keys that may be stored, of up to 64 keys: bit i for the key that was added as the i-th. */
    public long mightContain(KeyBatch batch) {
        long all = -1L >>> (Long.SIZE - batch.size());
        long found = 0;
        for (int i = 0; i < runs.size() && found != all; i++) {
            found |= runs.get(i).contains(batch, all & ~found);
        }
        return found;
    }

    /** How many runs stay as they are when so many fingerprints are added. */
    int staying(long added) {
        int staying = runs.size();
        long after = added;
        while (staying > 0 && runs.get(staying - 1).size() / RATIO < after) {
            staying--;
            after += runs.get(staying).size();
        }
        return staying;
    }

    /** Number of fingerprints, each counted once in every run that has it. */
    public long size() {
        return runs.stream().mapToLong(FingerprintRun::size).sum();
    }

    /** Approximate heap of the snapshot, in bytes. */
    public long heapBytes() {
        return runs.stream().mapToLong(FingerprintRun::heapBytes).sum();
    }

    /** Number of blobs in storage, besides the one that names them. */
    public int parts() {
        return runs.stream().mapToInt(run -> run.parts().size()).sum();
    }
}
