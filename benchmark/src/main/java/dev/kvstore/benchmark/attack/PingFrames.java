package dev.kvstore.benchmark.attack;

import java.nio.ByteBuffer;

/** Pings. Thread-safe. */
final class PingFrames implements FrameFlood.Frames {
    private static final int PINGS = 1_000;
    private static final int PAYLOAD_BYTES = 8;

    private final byte[] bytes;

    PingFrames() {
        ByteBuffer all = ByteBuffer.allocate(PINGS * (RawConnection.FRAME_BYTES + PAYLOAD_BYTES));
        for (int i = 0; i < PINGS; i++) {
            // The frame belongs to no stream.
            all.put((byte) 0)
                    .putShort((short) PAYLOAD_BYTES)
                    .put((byte) RawConnection.PING)
                    .put((byte) 0)
                    .putInt(0)
                    .putLong(i);
        }
        this.bytes = all.array();
    }

    @Override
    public byte[] next() {
        return bytes;
    }

    @Override
    public int count() {
        return PINGS;
    }
}
