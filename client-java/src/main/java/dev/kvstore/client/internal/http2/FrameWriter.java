package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;

/** Writes frames of one connection, without flushing. Only its event loop uses it. */
final class FrameWriter {
    private static final int HEAD_BYTES = 9;
    private static final int SETTING_BYTES = 6;
    private static final int WORD_BYTES = 4;
    private static final int LONG_BYTES = 8;

    private final ChannelHandlerContext context;

    FrameWriter(ChannelHandlerContext context) {
        this.context = context;
    }

    /**
     * Writes the first frames of a client, which speaks HTTP/2, refuses pushes, and takes this many bytes of all
     * streams.
     */
    void preface(int windowBytes, int mostFrameBytes, int mostFieldBytes) {
        ByteBuf out = context.alloc().directBuffer(128);
        out.writeBytes(Http2CodecUtil.connectionPrefaceBuf());
        head(out, 3 * SETTING_BYTES, Http2FrameTypes.SETTINGS, 0, 0);
        setting(out, Http2CodecUtil.SETTINGS_ENABLE_PUSH, 0);
        setting(out, Http2CodecUtil.SETTINGS_MAX_FRAME_SIZE, mostFrameBytes);
        setting(out, Http2CodecUtil.SETTINGS_MAX_HEADER_LIST_SIZE, mostFieldBytes);
        int more = windowBytes - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        if (more > 0) {
            head(out, WORD_BYTES, Http2FrameTypes.WINDOW_UPDATE, 0, 0);
            out.writeInt(more);
        }
        write(out);
    }

    private static void setting(ByteBuf out, int name, int value) {
        out.writeShort(name).writeInt(value);
    }

    void settingsAcknowledged() {
        write(head(0, Http2FrameTypes.SETTINGS, FrameDecoder.ACK, 0));
    }

    /** Writes a header block, in as many frames as it takes, and takes over its reference. */
    void headers(int stream, ByteBuf block, int mostFrameBytes) {
        int type = Http2FrameTypes.HEADERS;
        try {
            while (block.readableBytes() > mostFrameBytes) {
                write(head(mostFrameBytes, type, 0, stream));
                write(block.readRetainedSlice(mostFrameBytes));
                type = Http2FrameTypes.CONTINUATION;
            }
            write(head(block.readableBytes(), type, FrameDecoder.END_HEADERS, stream));
            write(block.retain());
        } finally {
            block.release();
        }
    }

    /** Writes a piece of a message, and takes over its reference. */
    void data(int stream, ByteBuf piece, boolean last) {
        ByteBuf head;
        try {
            head = head(piece.readableBytes(), Http2FrameTypes.DATA, last ? FrameDecoder.END_STREAM : 0, stream);
        } catch (RuntimeException | Error e) {
            piece.release();
            throw e;
        }
        write(head);
        write(piece);
    }

    void end(int stream) {
        write(head(0, Http2FrameTypes.DATA, FrameDecoder.END_STREAM, stream));
    }

    void reset(int stream, Http2Error error) {
        write(head(WORD_BYTES, Http2FrameTypes.RST_STREAM, 0, stream).writeInt((int) error.code()));
    }

    void window(int stream, int bytes) {
        write(head(WORD_BYTES, Http2FrameTypes.WINDOW_UPDATE, 0, stream).writeInt(bytes));
    }

    void ping(boolean answer, long content) {
        write(head(LONG_BYTES, Http2FrameTypes.PING, answer ? FrameDecoder.ACK : 0, 0)
                .writeLong(content));
    }

    void goAway(Http2Error error) {
        write(head(2 * WORD_BYTES, Http2FrameTypes.GO_AWAY, 0, 0).writeInt(0).writeInt((int) error.code()));
    }

    /** The head of a frame, with room for the payload of a small one. */
    private ByteBuf head(int payload, int type, int flags, int stream) {
        ByteBuf out = context.alloc().directBuffer(HEAD_BYTES + LONG_BYTES);
        head(out, payload, type, flags, stream);
        return out;
    }

    private static void head(ByteBuf out, int payload, int type, int flags, int stream) {
        out.writeMedium(payload).writeByte(type).writeByte(flags).writeInt(stream);
    }

    private void write(ByteBuf bytes) {
        var unused = context.write(bytes, context.voidPromise());
    }
}
