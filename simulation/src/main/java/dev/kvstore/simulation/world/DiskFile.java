package dev.kvstore.simulation.world;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;

/** The bytes of a file, and those before its last writes, which a loss of power may bring back. For one thread. */
final class DiskFile {
    private static final int PAGE = 4096;

    /** Pages that the system has not written to the disk yet; it writes the oldest ones. */
    private static final int MOST_UNSYNCED = 200;

    private static final int TRIES = 20;

    private final boolean isBeneath;
    private final Deque<PageBefore> unsynced = new ArrayDeque<>();
    private byte[] bytes = new byte[0];

    private record PageBefore(int at, ByteBuffer bytes) {}

    /** @param isBeneath whether it is in the mount point of a disk that is away */
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

    /** Copies bytes that are there; returns how many, -1 if there are none. */
    int read(ByteBuffer target, int from) {
        int count = Math.min(target.remaining(), bytes.length - from);
        if (count <= 0) {
            return target.hasRemaining() ? -1 : 0;
        }
        target.put(bytes, from, count);
        return count;
    }

    /** Takes bytes of the source, at most a page. */
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

    /** Power is lost: half of what is not synced is as it was before. */
    void loseUnsynced(SplittableRandom random) {
        while (!unsynced.isEmpty()) {
            PageBefore before = unsynced.removeLast();
            int end = before.at + before.bytes.capacity();
            if (random.nextBoolean() && end <= bytes.length) {
                before.bytes.get(0, bytes, before.at, before.bytes.capacity());
            }
        }
    }

    /** Changes a bit. Most bytes are zero, and nobody looks at them: mostly it is one of the others. */
    void flip(SplittableRandom random) {
        int at = random.nextInt(bytes.length);
        for (int i = 0; i < TRIES && bytes[at] == 0; i++) {
            at = random.nextInt(bytes.length);
        }
        bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
}
