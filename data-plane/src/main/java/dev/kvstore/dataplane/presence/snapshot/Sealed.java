package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.protocol.format.Crc32c;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The frame of all blobs of presence: magic and version at the start, a checksum at the end. Stateless. */
public final class Sealed {
    private Sealed() {}

    /** Puts the checksum at the position, 4 bytes before the end; returns the whole buffer. */
    public static ByteBuffer seal(ByteBuffer bytes) {
        bytes.putInt(Crc32c.of(bytes.duplicate().flip()));
        return bytes.flip();
    }

    /** The bytes after magic and version, without the checksum, once that has been verified. */
    public static ByteBuffer open(ByteBuffer blob, int magic, int version, int leastBytes) throws UnreadableException {
        ByteBuffer bytes = blob.slice().order(ByteOrder.LITTLE_ENDIAN);
        int end = bytes.limit() - Integer.BYTES;
        if (end < leastBytes || bytes.getInt() != magic) {
            throw new UnreadableException("it is no presence blob, or cut short");
        }
        if (Crc32c.of(blob.slice(blob.position(), end)) != bytes.getInt(end)) {
            throw new UnreadableException("its checksum is wrong");
        }
        int written = bytes.getInt();
        if (written > version) {
            throw UnreadableException.newer();
        }
        if (written != version) {
            throw new UnreadableException("version " + written + " is not read any more");
        }
        return bytes.limit(end);
    }
}
