package dev.kvstore.dataplane.presence.snapshot;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The part of a snapshot that is in a blob of its own. Immutable and thread-safe.
 *
 * <pre>
 * 0   "KVPF"
 * 4   u32  version, 1
 * 8   u64  number
 * 16  u64  first fingerprint
 * 24  u64  last fingerprint
 * 32  u32  number of fingerprints
 * 36  the set, as {@link Fingerprints} has it: u32 for each bucket and one more, u64 words
 * end u32  CRC32C of everything before
 * </pre>
 *
 * All little-endian.
 *
 * @param number names the part; random, so that no two are ever the same
 */
record SnapshotPart(long number, Fingerprints fingerprints) {
    private static final int MAGIC = 'K' | 'V' << 8 | 'P' << 16 | 'F' << 24;
    private static final int VERSION = 1;
    private static final int FIXED_BYTES = 16;

    /** Bytes of the longest part. */
    static final int MOST_BYTES = FIXED_BYTES + Fingerprints.MOST_ENCODED_BYTES + Integer.BYTES;

    ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + fingerprints.encodedBytes() + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).putLong(number);
        fingerprints.writeTo(bytes);
        return Sealed.seal(bytes);
    }

    /** Reads the part of a number. */
    static SnapshotPart decode(ByteBuffer blob, long number) throws UnreadableException {
        ByteBuffer bytes = Sealed.open(blob, MAGIC, VERSION, FIXED_BYTES);
        if (bytes.getLong() != number) {
            throw new UnreadableException("it is another part");
        }
        try {
            return new SnapshotPart(number, Fingerprints.readFrom(bytes));
        } catch (IllegalArgumentException e) {
            throw UnreadableException.beyondLimits("the part is none: " + e.getMessage());
        }
    }
}
