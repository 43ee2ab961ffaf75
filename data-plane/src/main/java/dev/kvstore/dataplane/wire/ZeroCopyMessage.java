package dev.kvstore.dataplane.wire;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;

/**
 * A message to be sent, encoded, whose large fields are still where they were and held until the kernel has them. The
 * maker gives it back once it has handed it to the transport, which holds it for as long as it needs. Thread-safe.
 *
 * @param <M> the generated message
 */
@SuppressWarnings("UnusedTypeParameter") // tells methods apart
public final class ZeroCopyMessage<M extends MessageLite> {
    private final ByteBuf bytes;

    ZeroCopyMessage(ByteBuf bytes) {
        this.bytes = bytes;
    }

    /** Length on the wire, in bytes. */
    public int length() {
        return bytes.readableBytes();
    }

    /** The message as a buffer with an index of its own, not to be used after {@link #release}. */
    ByteBuf bytes() {
        return bytes.duplicate();
    }

    /** A buffer with a reference of its own to the message. */
    ByteBuf retained() {
        return bytes.retainedDuplicate();
    }

    /** Gives the maker's reference back. */
    public void release() {
        bytes.release();
    }
}
