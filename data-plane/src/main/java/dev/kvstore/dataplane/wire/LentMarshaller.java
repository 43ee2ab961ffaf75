package dev.kvstore.dataplane.wire;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.InputStream;
import java.util.concurrent.atomic.LongAdder;

/**
 * Hands messages to the transport as they are, where it allocates by {@link LendingAllocator}; copies them where it
 * does not. Thread-safe. The counters say which path was taken.
 */
public final class LentMarshaller<M extends MessageLite> implements Marshaller<ZeroCopyMessage<M>> {
    private final LongAdder lent = new LongAdder();
    private final LongAdder copied = new LongAdder();

    /** A method whose answers are lent; on the wire it is the same. */
    public static <Q, M extends MessageLite> MethodDescriptor<Q, ZeroCopyMessage<M>> answering(
            MethodDescriptor<Q, M> method) {
        return method.toBuilder(method.getRequestMarshaller(), new LentMarshaller<M>())
                .build();
    }

    /** Messages that were not copied. */
    long lent() {
        return lent.sum();
    }

    /** Messages that were copied. */
    long copied() {
        return copied.sum();
    }

    @Override
    public InputStream stream(ZeroCopyMessage<M> message) {
        return new LentStream(message, lent, copied);
    }

    @Override
    public ZeroCopyMessage<M> parse(InputStream stream) {
        throw new IllegalStateException("a lent message is not received");
    }
}
