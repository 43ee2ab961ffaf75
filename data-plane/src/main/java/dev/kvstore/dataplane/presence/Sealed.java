package dev.kvstore.dataplane.presence;

import dev.kvstore.protocol.format.Crc32c;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What snapshots and logs have in common: magic and version at the start, a checksum at the end. Stateless. */
final class Sealed {
    private Sealed() {}

    /** Puts the checksum at the position, 4 bytes before the end; returns the whole buffer. */
    static ByteBuffer seal(ByteBuffer bytes) {
        bytes.putInt(Crc32c.of(bytes.duplicate().flip()));
        return bytes.flip();
    }

    /** The bytes after magic and version, without the checksum, once that has been verified. */
    static ByteBuffer open(ByteBuffer blob, int magic, int version, int leastBytes) throws UnreadableException {
        ByteBuffer bytes = blob.slice().order(ByteOrder.LITTLE_ENDIAN);
        int end = bytes.limit() - Integer.BYTES;
        if (end < leastBytes || bytes.getInt() != magic) {
            throw new UnreadableException("it is no presence blob, or cut short");
        }
        if (Crc32c.of(blob.slice(blob.position(), end)) != bytes.getInt(end)) {
            throw new UnreadableException("its checksum is wrong");
        }
        if (bytes.getInt() != version) {
            throw UnreadableException.newer();
        }
        return bytes.limit(end);
    }
}
