package dev.kvstore.client.internal;

import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** An answer that arrived in memory whose holders a test counts: it must be closed once, and not twice. */
public final class CountedAnswer extends ByteArrayInputStream implements KnownLength, HasByteBuffer, Detachable {
    private final AtomicInteger held;

    /** @param held the answers that nobody has closed */
    public CountedAnswer(byte[] bytes, AtomicInteger held) {
        super(bytes);
        this.held = held;
        held.incrementAndGet();
    }

    @Override
    public boolean byteBufferSupported() {
        return true;
    }

    @Override
    public ByteBuffer getByteBuffer() {
        return ByteBuffer.wrap(buf, pos, count - pos).slice().asReadOnlyBuffer();
    }

    @Override
    public InputStream detach() {
        return this;
    }

    @Override
    public void close() {
        held.decrementAndGet();
    }
}
