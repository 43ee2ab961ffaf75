package dev.kvstore.client.internal.http2;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@link LongMessage}s of one call over grpc-java, in pieces, where grpc-java would copy them by 4 KiB. It takes a
 * message in one go, on one thread: it tells its tracers of the message, asks the allocator for a buffer, puts the
 * prefix there, and has the message written behind it. So the buffer asked for in between is this message's, and the
 * message becomes a part of it. Tracers hear that the call is over before its caller does, on the event loop. For the
 * threads of one call.
 */
final class RequestPieces extends ClientStreamTracer {
    private static final ThreadLocal<@Nullable RequestPieces> UNDER_WAY = new ThreadLocal<>();

    /** Netty's pooled memory, off the heap, but a message that is under way gets a buffer of pieces. */
    static final ByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(true) {
        @Override
        public ByteBuf buffer(int initialCapacity, int maxCapacity) {
            RequestPieces requestPieces = UNDER_WAY.get();
            return requestPieces == null || requestPieces.whole != null ? super.buffer(initialCapacity, maxCapacity) : requestPieces.begin();
        }
    };

    private static final Factory FACTORY = new Factory() {
        @Override
        public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
            return new RequestPieces();
        }
    };

    static final ClientInterceptor ON_CALLS = new ClientInterceptor() {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            return next.newCall(
                    method, LongMessage.isAskedBy(method) ? options.withStreamTracerFactory(FACTORY) : options);
        }
    };

    private final List<LentBytes> lent = new ArrayList<>();
    private @Nullable CompositeByteBuf whole;
    private boolean over;

    private RequestPieces() {}

    @Override
    public void outboundMessage(int number) {
        whole = null;
        UNDER_WAY.set(this);
    }

    private ByteBuf begin() {
        CompositeByteBuf begun = ALLOCATOR.compositeDirectBuffer(Integer.MAX_VALUE);
        // Netty counts what can be read as what there is.
        begun.addComponent(false, ALLOCATOR.directBuffer(Deframer.PREFIX_BYTES).writerIndex(Deframer.PREFIX_BYTES));
        whole = begun;
        return begun;
    }

    /** Whether this thread's message now is in the transport's buffer; if not, it has to be written there. */
    static boolean take(LongMessage message) {
        RequestPieces requestPieces = UNDER_WAY.get();
        UNDER_WAY.remove();
        return requestPieces != null && requestPieces.add(message);
    }

    private boolean add(LongMessage message) {
        CompositeByteBuf begun = whole;
        whole = null;
        if (begun == null || begun.readableBytes() != Deframer.PREFIX_BYTES) {
            return false;
        }
        begun.addComponents(true, message.lent() ? lend(message) : MessageWriter.pieces(message, ALLOCATOR, false));
        return true;
    }

    /** A call that is over already lends nothing: its caller may have its bytes back at any time. */
    private synchronized List<ByteBuf> lend(LongMessage message) {
        List<ByteBuf> pieces = MessageWriter.pieces(message, ALLOCATOR, !over && Epoll.isAvailable());
        for (ByteBuf piece : pieces) {
            if (piece instanceof LentBytes bytes) {
                lent.add(bytes);
            }
        }
        return pieces;
    }

    @Override
    public synchronized void streamClosed(Status status) {
        over = true;
        try {
            lent.forEach(LentBytes::giveBack);
        } catch (OutOfMemoryError e) {
            // The caller must hear of the end. Bytes that the socket still takes are of a call that is over.
        }
        lent.clear();
    }
}
