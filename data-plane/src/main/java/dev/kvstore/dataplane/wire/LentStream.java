package dev.kvstore.dataplane.wire;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.CompositeByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way into the transport. grpc-java takes it in one go, on one thread: it asks the marshaller for
 * this stream, its allocator for a buffer, puts the five bytes before each message there, has the message written
 * behind them, and closes. So the buffer asked for in between is this message's, and the message becomes a part of it.
 */
final class LentStream extends InputStream implements KnownLength, Drainable {
    /** Bytes that gRPC puts before each message: whether it is compressed, and its length. */
    private static final int PREFIX_BYTES = 5;

    private static final ThreadLocal<@Nullable LentStream> UNDER_WAY = new ThreadLocal<>();

    private final ZeroCopyMessage<?> message;
    private final LongAdder lent;
    private final LongAdder copied;
    private final ByteBufInputStream bytes;
    private @Nullable CompositeByteBuf target;

    LentStream(ZeroCopyMessage<?> message, LongAdder lent, LongAdder copied) {
        this.message = message;
        this.lent = lent;
        this.copied = copied;
        this.bytes = new ByteBufInputStream(message.bytes());
        UNDER_WAY.set(this);
    }

    /** The buffer of the message that this thread is handing over; null if there is none. */
    static @Nullable ByteBuf buffer(ByteBufAllocator allocator) {
        LentStream stream = UNDER_WAY.get();
        if (stream == null) {
            return null;
        }
        UNDER_WAY.remove();
        CompositeByteBuf buffer = allocator.compositeDirectBuffer(Integer.MAX_VALUE);
        // Netty takes the readable bytes for the whole component.
        buffer.addComponent(false, allocator.directBuffer(PREFIX_BYTES).writerIndex(PREFIX_BYTES));
        stream.target = buffer;
        return buffer;
    }

    @Override
    public int drainTo(OutputStream transport) throws IOException {
        CompositeByteBuf buffer = target;
        target = null;
        int length = bytes.available();
        if (buffer != null && buffer.readableBytes() == PREFIX_BYTES) {
            buffer.addFlattenedComponents(true, message.retained());
            lent.increment();
            return length;
        }
        copied.increment();
        return Math.toIntExact(bytes.transferTo(transport));
    }

    @Override
    public int available() throws IOException {
        return bytes.available();
    }

    @Override
    public int read() throws IOException {
        return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        return bytes.read(target, offset, count);
    }

    @Override
    public void close() {
        if (this.equals(UNDER_WAY.get())) {
            UNDER_WAY.remove();
        }
    }
}
