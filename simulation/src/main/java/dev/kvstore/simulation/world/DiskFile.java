package dev.kvstore.simulation.world;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;

/** The bytes of a file, and the bytes before its last writes, which a loss of power may bring back. For one thread. */
final class DiskFile {
    private static final int PAGE = 4096;

    /** The most pages that the system has not written to the disk yet; beyond them it writes the oldest ones. */
    private static final int MOST_UNSYNCED = 200;

    private static final int TRIES = 20;

    private final boolean isBeneath;
    private final Deque<PageBefore> unsynced = new ArrayDeque<>();
    private byte[] bytes = new byte[0];

    private record PageBefore(int at, ByteBuffer bytes) {}

    /** @param isBeneath whether the file is in the mount point of a disk that is away */
    DiskFile(boolean isBeneath) {
        this.isBeneath = isBeneath;
    }

    boolean isBeneath() {
        return isBeneath;
    }

    int length() {
        return bytes.length;
    }

    void truncate(int length) {
        if (length < bytes.length) {
            bytes = Arrays.copyOf(bytes, length);
        }
    }

    /** Copies bytes of the file from an offset on; returns their number, or -1 at the end of the file. */
    int read(ByteBuffer target, int from) {
        int count = Math.min(target.remaining(), bytes.length - from);
        if (count <= 0) {
            return target.hasRemaining() ? -1 : 0;
        }
        target.put(bytes, from, count);
        return count;
    }

    /** Writes bytes of the source, at most a page and at most this many; returns their number. */
    int write(ByteBuffer source, int to, int most) {
        int count = Math.min(Math.min(source.remaining(), PAGE), most);
        if (to + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, to + count);
        }
        unsynced.addLast(new PageBefore(to, ByteBuffer.wrap(Arrays.copyOfRange(bytes, to, to + count))));
        if (unsynced.size() > MOST_UNSYNCED) {
            unsynced.removeFirst();
        }
        source.get(bytes, to, count);
        return count;
    }

    void sync() {
        unsynced.clear();
    }

    /** Power is lost: half of the pages that are not synced get their earlier bytes back. */
    void loseUnsynced(SplittableRandom random) {
        while (!unsynced.isEmpty()) {
            PageBefore before = unsynced.removeLast();
            int end = before.at + before.bytes.capacity();
            if (random.nextBoolean() && end <= bytes.length) {
                before.bytes.get(0, bytes, before.at, before.bytes.capacity());
            }
        }
    }

    /** Changes a bit, mostly of a byte that is not zero: most bytes are zero, and nobody looks at them. */
    void flip(SplittableRandom random) {
        int at = random.nextInt(bytes.length);
        for (int i = 0; i < TRIES && bytes[at] == 0; i++) {
            at = random.nextInt(bytes.length);
        }
        bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
}
