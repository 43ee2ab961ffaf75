package dev.kvstore.simulation.storage;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** The damage that another program does to a blob, or a machine on the blob's way. */
public enum BlobDamage {
    EMPTIED,
    CUT,
    LENGTHENED,
    /** A bit of the first 140 bytes, which are a block's header, is flipped. */
    FLIPPED_AT_START,
    /** A bit of the last 100 bytes, which are part of a block's buffer, is flipped. */
    FLIPPED_AT_END,
    /** Any bit is flipped. */
    FLIPPED,
    GARBAGE,
    /** The blob has a format version that does not exist yet. */
    NEWER_VERSION;

    /** The offset of a block's version and flags. A block with other ones is of a newer version, and not damaged. */
    private static final int VERSION_FROM = 8;

    private static final int VERSION_TO = 12;

    /** The number of bytes of a header that every block fills. */
    private static final int HEADER_BYTES = 140;

    /** No buffer of the simulation has fewer bytes. */
    private static final int LAST_BYTES = 100;

    /** Returns a damaged copy of the bytes. */
    public ByteBuffer of(ByteBuffer before, SplittableRandom random) {
        int length = before.limit();
        return switch (this) {
            case EMPTIED -> ByteBuffer.allocate(0);
            case CUT -> copy(before, random.nextInt(length));
            case LENGTHENED -> copy(before, length + 1 + random.nextInt(100));
            case FLIPPED_AT_START -> flipped(before, 0, Math.min(length, HEADER_BYTES), random);
            case FLIPPED_AT_END -> flipped(before, length - Math.min(length, LAST_BYTES), length, random);
            case FLIPPED -> flipped(before, 0, length, random);
            case GARBAGE -> garbage(Math.max(1, length), random);
            case NEWER_VERSION -> newer(before);
        };
    }

    /**
     * Whether the header of a block, or its length, tells of the damage; if not, only a read of the whole block does.
     */
    public boolean isInHeader() {
        return this != FLIPPED_AT_END && this != FLIPPED;
    }

    private static ByteBuffer copy(ByteBuffer bytes, int length) {
        ByteBuffer copy = ByteBuffer.allocate(length);
        copy.put(0, bytes, 0, Math.min(length, bytes.limit()));
        return copy;
    }

    /** Copies bytes and flips one bit, outside the version and flags. */
    private static ByteBuffer flipped(ByteBuffer bytes, int from, int end, SplittableRandom random) {
        int at = from + random.nextInt(end - from);
        ByteBuffer copy = copy(bytes, bytes.limit());
        int past = at >= VERSION_FROM && at < VERSION_TO && end > VERSION_TO ? VERSION_TO : at;
        return copy.put(past, (byte) (copy.get(past) ^ (1 << random.nextInt(Byte.SIZE))));
    }

    private static ByteBuffer garbage(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer newer(ByteBuffer bytes) {
        ByteBuffer copy = copy(bytes, bytes.limit());
        return copy.limit() > VERSION_FROM ? copy.put(VERSION_FROM, (byte) 2) : copy;
    }
}
