package dev.kvstore.dataplane.presence.log;

import dev.kvstore.dataplane.presence.snapshot.Sealed;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.storage.ReadLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks of a partition that one process stored. Immutable and thread-safe.
 *
 * <pre>
 * 0   "KVPL"
 * 4   u32  version, 1
 * 8   u64  beat
 * 16  u32  1 while the process may store more blocks without saying so here first, else 0
 * 20  u32  number of keys
 * 24  u64  each key: the first eight bytes of a block's name
 * end u32  CRC32C of everything before
 * </pre>
 *
 * All little-endian.
 *
 * @param beat differs each time the process writes the log, so that others see it live
 */
public record Log(long beat, boolean open, List<Long> keys) {
    /** Keys after which a process begins another log; 32 KiB. */
    public static final int MAX_KEYS = 4096;

    /** Bytes of the longest log that is read. */
    static final int MOST_BYTES = 24 + ReadLimits.LOG_KEYS * Long.BYTES + Integer.BYTES;

    private static final int MAGIC = 'K' | 'V' << 8 | 'P' << 16 | 'L' << 24;
    private static final int VERSION = 1;
    private static final int FIXED_BYTES = 24;

    public Log {
        keys = List.copyOf(keys);
    }

    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + keys.size() * Long.BYTES + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).putLong(beat).putInt(open ? 1 : 0).putInt(keys.size());
        keys.forEach(bytes::putLong);
        return Sealed.seal(bytes);
    }

    /** Reads a log. */
    public static Log decode(ByteBuffer blob) throws UnreadableException {
        ByteBuffer bytes = Sealed.open(blob, MAGIC, VERSION, FIXED_BYTES);
        long beat = bytes.getLong();
        boolean open = bytes.getInt() != 0;
        int count = bytes.getInt();
        if (count < 0 || bytes.remaining() != (long) count * Long.BYTES) {
            throw UnreadableException.beyondLimits("the log has another length than it says");
        }
        if (count > ReadLimits.LOG_KEYS) {
            throw UnreadableException.beyondLimits("the log has " + count + " keys");
        }
        List<Long> keys = new ArrayList<>(count);
        while (bytes.hasRemaining()) {
            keys.add(bytes.getLong());
        }
        return new Log(beat, open, keys);
    }
}
