package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.ReadLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The parts of a snapshot, run by run. Immutable and thread-safe.
 *
 * <pre>
 * 0   "KVPS"
 * 4   u32  version, 2
 * 8   u64  epoch
 * 16  u32  number of runs
 * 20  each run: u32 number of parts, u64 number of each part
 * end u32  CRC32C of everything before
 * </pre>
 *
 * All little-endian. Version 1 held Bloom filters, which cannot be turned into fingerprints: the partition is listed.
 */
record Manifest(long epoch, List<List<Long>> runs) {
    private static final int MAGIC = 'K' | 'V' << 8 | 'P' << 16 | 'S' << 24;
    private static final int VERSION = 2;
    private static final int FIXED_BYTES = 20;

    /** Bytes of the longest manifest that is read. */
    static final int MOST_BYTES =
            FIXED_BYTES + ReadLimits.RUNS * Integer.BYTES + ReadLimits.PARTS * Long.BYTES + Integer.BYTES;

    Manifest {
        runs = runs.stream().map(List::copyOf).toList();
    }

    static Manifest of(Snapshot snapshot) {
        return new Manifest(
                snapshot.epoch(),
                snapshot.runs().stream()
                        .map(run ->
                                run.parts().stream().map(SnapshotPart::number).toList())
                        .toList());
    }

    ByteBuffer encode() {
        int bytes = FIXED_BYTES + Integer.BYTES;
        for (List<Long> run : runs) {
            bytes += Integer.BYTES + run.size() * Long.BYTES;
        }
        ByteBuffer blob = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        blob.putInt(MAGIC).putInt(VERSION).putLong(epoch).putInt(runs.size());
        for (List<Long> run : runs) {
            blob.putInt(run.size());
            run.forEach(blob::putLong);
        }
        return Sealed.seal(blob);
    }

    static Manifest decode(ByteBuffer blob) throws UnreadableException {
        ByteBuffer bytes = Sealed.open(blob, MAGIC, VERSION, FIXED_BYTES);
        long epoch = bytes.getLong();
        int count = bytes.getInt();
        if (count < 0 || count > ReadLimits.RUNS) {
            throw UnreadableException.beyondLimits("the snapshot has " + Integer.toUnsignedLong(count) + " runs");
        }
        Set<Long> used = new HashSet<>();
        List<List<Long>> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            runs.add(run(bytes, used));
        }
        if (bytes.hasRemaining()) {
            throw wrongLength();
        }
        return new Manifest(epoch, runs);
    }

    private static UnreadableException wrongLength() {
        return UnreadableException.beyondLimits("the snapshot has another length than it says");
    }

    private static List<Long> run(ByteBuffer bytes, Set<Long> used) throws UnreadableException {
        int parts = bytes.remaining() < Integer.BYTES ? 0 : bytes.getInt();
        if (parts < 1 || parts > bytes.remaining() / Long.BYTES) {
            throw wrongLength();
        }
        if (parts > ReadLimits.PARTS - used.size()) {
            throw UnreadableException.beyondLimits("the snapshot has more than " + ReadLimits.PARTS + " parts");
        }
        List<Long> run = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            long part = bytes.getLong();
            if (!used.add(part)) {
                throw UnreadableException.beyondLimits("the snapshot uses a part twice");
            }
            run.add(part);
        }
        return run;
    }
}
