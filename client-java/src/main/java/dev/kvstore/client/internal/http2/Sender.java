package dev.kvstore.client.internal.http2;

import dev.kvstore.protocol.wire.SendTurns;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Sends the messages of streams, one after the other ({@link SendTurns}), as far as peer and socket take them. Only the
 * connection's event loop uses it.
 */
final class Sender {
    /** The bytes of the longest frame; longer frames would keep other streams waiting. */
    private static final int MOST_FRAME_BYTES = 256 * 1024;

    private final ChannelHandlerContext context;
    private final FrameWriter writer;
    private final Consumer<Throwable> broken;
    private final SendTurns<Stream> turns =
            new SendTurns<>(stream -> stream.call().sending().bytes());
    private final Queue<Stream> stalled = new ArrayDeque<>();
    private long window = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    private int peerFrameBytes = Http2CodecUtil.MAX_FRAME_SIZE_LOWER_BOUND;
    private boolean scheduled;

    /** @param broken gets the failure of sending, after which nothing may be sent any more */
    Sender(ChannelHandlerContext context, FrameWriter writer, Consumer<Throwable> broken) {
        this.context = context;
        this.writer = writer;
        this.broken = broken;
    }

    int peerFrameBytes() {
        return peerFrameBytes;
    }

    void peerFrameBytes(int bytes) {
        peerFrameBytes = bytes;
    }

    /** Widens the peer's window of the whole connection. False if the window becomes larger than HTTP/2 allows. */
    boolean widen(int bytes) {
        window += bytes;
        stalled.forEach(turns::add);
        stalled.clear();
        soon();
        return window <= Integer.MAX_VALUE;
    }

    /** Notes that a stream may have something to send. */
    void ready(Stream stream) {
        queue(stream);
        soon();
    }

    /** Sends and flushes soon, once for all requests until then. */
    void soon() {
        if (!scheduled) {
            scheduled = true;
            context.executor().execute(this::run);
        }
    }

    private void run() {
        scheduled = false;
        try {
            send();
        } catch (RuntimeException | Error e) {
            broken.accept(e);
        }
    }

    private void queue(Stream stream) {
        if (!stream.queued) {
            stream.queued = true;
            turns.add(stream);
        }
    }

    private void send() {
        while (context.channel().isWritable()) {
            Stream stream = turns.next();
            if (stream == null) {
                break;
            }
            stream.queued = false;
            sendOne(stream);
        }
        context.flush();
    }

    private void sendOne(Stream stream) {
        SendQueue queue = stream.call().sending();
        if (stream.call().isClosed() || !queue.hasNext()) {
            return;
        }
        if (!queue.isEmpty() && window <= 0) {
            stream.queued = true;
            stalled.add(stream);
            return;
        }
        int sent = 0;
        ByteBuf piece = queue.next((int) Math.min(Math.min(peerFrameBytes, MOST_FRAME_BYTES), window));
        if (piece == null) {
            writer.end(stream.id());
        } else {
            sent = piece.readableBytes();
            window -= sent;
            writer.data(stream.id(), piece, queue.hasOnlyEnd());
        }
        if (queue.hasOnlyEnd()) {
            queue.endTaken();
        }
        stream.call().sent();
        if (!stream.queued && !stream.call().isClosed() && queue.hasNext()) {
            stream.queued = true;
            turns.more(stream, sent);
        }
    }
}
