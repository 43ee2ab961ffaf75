package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/** Sends what streams have, a frame of each in turn, within what peer and socket take. For the connection's event loop. */
final class Sender {
    /** Longer frames would keep other streams waiting. */
    private static final int MOST_FRAME_BYTES = 256 * 1024;

    private final ChannelHandlerContext context;
    private final FrameWriter writer;
    private final Queue<Stream> turns = new ArrayDeque<>();
    private final Queue<Stream> stalled = new ArrayDeque<>();
    private long window = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    private int peerFrameBytes = Http2CodecUtil.MAX_FRAME_SIZE_LOWER_BOUND;
    private boolean scheduled;

    Sender(ChannelHandlerContext context, FrameWriter writer) {
        this.context = context;
        this.writer = writer;
    }

    int peerFrameBytes() {
        return peerFrameBytes;
    }

    void peerFrameBytes(int bytes) {
        peerFrameBytes = bytes;
    }

    /** The peer takes more on the connection as a whole. False if that is more than there can be. */
    boolean widen(int bytes) {
        window += bytes;
        turns.addAll(stalled);
        stalled.clear();
        soon();
        return window <= Integer.MAX_VALUE;
    }

    /** A stream may have something to send. */
    void ready(Stream stream) {
        queue(stream);
        soon();
    }

    /** Sends, and flushes, once for all that is asked for until then. */
    void soon() {
        if (!scheduled) {
            scheduled = true;
            context.executor().execute(this::send);
        }
    }

    private void queue(Stream stream) {
        if (!stream.queued) {
            stream.queued = true;
            turns.add(stream);
        }
    }

    private void send() {
        scheduled = false;
        while (context.channel().isWritable()) {
            Stream stream = turns.poll();
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
        ByteBuf piece = queue.next((int) Math.min(Math.min(peerFrameBytes, MOST_FRAME_BYTES), window));
        if (piece == null) {
            writer.end(stream.id());
        } else {
            window -= piece.readableBytes();
            writer.data(stream.id(), piece, queue.hasOnlyEnd());
        }
        if (queue.hasOnlyEnd()) {
            queue.endTaken();
        }
        stream.call().sent();
        if (!stream.call().isClosed() && queue.hasNext()) {
            queue(stream);
        }
    }
}
