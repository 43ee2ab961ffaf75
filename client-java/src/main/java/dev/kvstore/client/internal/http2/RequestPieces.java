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
 * Sends the {@link LongMessage}s of one call over grpc-java in pieces; grpc-java would copy them by 4 KiB. grpc-java
 * takes a message in one go, on one thread: it informs its tracers of the message, asks the allocator for a buffer,
 * writes the prefix into the buffer, and has the message written after it. So the buffer that is requested in between
 * is this message's, and the message becomes a part of it. Tracers learn that the call is over before its caller does,
 * on the event loop. The threads of one call use it.
 */
final class RequestPieces extends ClientStreamTracer {
    private static final ThreadLocal<@Nullable RequestPieces> UNDER_WAY = new ThreadLocal<>();

    /** Netty's pooled memory, off the heap; a message that is under way gets a buffer of pieces. */
    static final ByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(true) {
        @Override
        public ByteBuf buffer(int initialCapacity, int maxCapacity) {
            RequestPieces requestPieces = UNDER_WAY.get();
            return requestPieces == null || requestPieces.whole != null
                    ? super.buffer(initialCapacity, maxCapacity)
                    : requestPieces.begin();
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
        // Netty counts the readable bytes of a component, so the writer index comes first.
        begun.addComponent(false, ALLOCATOR.directBuffer(Deframer.PREFIX_BYTES).writerIndex(Deframer.PREFIX_BYTES));
        whole = begun;
        return begun;
    }

    /** Puts this thread's message into the transport's buffer. False if the message has to be written there instead. */
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

    /** The pieces of a message. A call that is over lends nothing: its caller may have its bytes back at any time. */
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
            // The caller must learn of the end. Bytes that the socket still takes belong to a call that is over.
        }
        lent.clear();
    }
}
