package dev.kvstore.listener;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ByteToMessageDecoder.Cumulator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Passes the bytes of one connection to its HTTP/2 decoder in parts, each of which causes little work. After each part
 * the connection waits for its next turn ({@link FairTurns}) and is not read meanwhile. So a client that sends calls
 * faster than they can begin delays other clients of the event loop by one part at a time. Only the connection's event
 * loop uses it.
 *
 * <p>This object is the first handler of the connection, which stops reading, and also the decoder's cumulator, which
 * sees the bytes after TLS.
 */
public final class FairInput extends ChannelOutboundHandlerAdapter implements Cumulator {
    /** The cost at which a part ends, in the units of {@link FrameCosts}: 16 calls, or 12 that are reset at once. */
    static final int PART = 64;

    /** The cost of a new connection's first part: its settings and 3 calls. */
    static final int FIRST_PART = 16;

    private final Channel channel;
    private final ByteToMessageDecoder decoder;
    private final Cumulator cumulator;
    private final FairTurns turns;
    private final Supplier<Object> origin;
    private final FrameCosts costs = new FrameCosts();

    /**
     * Bytes that were read and wait for a turn. All come from one read, since the connection is not read while any
     * wait.
     */
    private final Deque<ByteBuf> unread = new ArrayDeque<>();

    private boolean waiting;

    private FairInput(
            Channel channel,
            ByteToMessageDecoder decoder,
            Cumulator cumulator,
            FairTurns turns,
            Supplier<Object> origin) {
        this.channel = channel;
        this.decoder = decoder;
        this.cumulator = cumulator;
        this.turns = turns;
        this.origin = origin;
        costs.reset(PART - FIRST_PART);
    }

    /**
     * Makes a connection take turns, from its beginning.
     *
     * @param context the context of any handler of the connection, before anything was read
     * @param decoder the decoder of its frames
     * @param cumulator the cumulator with which the decoder joins the bytes of several reads
     * @param turns the turns of the connection's listener
     * @param origin the origin of the connection, see {@link AddressGroup}; read each time, since a load balancer may
     *     name it later
     */
    public static void on(
            ChannelHandlerContext context,
            ByteToMessageDecoder decoder,
            Cumulator cumulator,
            FairTurns turns,
            Supplier<Object> origin) {
        FairInput input = new FairInput(context.channel(), decoder, cumulator, turns, origin);
        decoder.setCumulator(input);
        var _ = context.pipeline().addFirst(input);
    }

    /** Handlers and the channel itself call this. */
    @Override
    public void read(ChannelHandlerContext context) throws Exception {
        if (!waiting) {
            super.read(context);
        }
    }

    @Override
    public ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf before, ByteBuf read) {
        if (waiting) {
            unread.addLast(read);
            return before;
        }
        int part = costs.walk(read, PART);
        ByteBuf now = read;
        if (part < read.readableBytes()) {
            now = read.readRetainedSlice(part);
            unread.addFirst(read);
        }
        if (costs.spent() >= PART) {
            queue();
        }
        return cumulator.cumulate(allocator, before, now);
    }

    private void queue() {
        if (!channel.isActive()) {
            forget();
            return;
        }
        waiting = true;
        channel.config().setAutoRead(false);
        turns.queue(channel.eventLoop(), origin.get(), this);
    }

    /** Takes the connection's turn. */
    void turn() {
        waiting = false;
        costs.reset(0);
        ChannelHandlerContext ofDecoder = channel.pipeline().context(decoder);
        if (ofDecoder == null || !channel.isActive()) {
            forget();
            return;
        }
        try {
            while (!waiting && !unread.isEmpty()) {
                decoder.channelRead(ofDecoder, unread.removeFirst());
            }
            decoder.channelReadComplete(ofDecoder);
        } catch (Exception e) {
            var _ = ofDecoder.fireExceptionCaught(e);
            var _ = channel.close();
        }
        if (!waiting) {
            channel.config().setAutoRead(true);
        }
    }

    private void forget() {
        unread.forEach(ByteBuf::release);
        unread.clear();
    }
}
