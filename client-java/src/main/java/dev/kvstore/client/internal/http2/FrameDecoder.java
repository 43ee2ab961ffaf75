package dev.kvstore.client.internal.http2;

import static io.netty.handler.codec.http2.Http2Error.ENHANCE_YOUR_CALM;
import static io.netty.handler.codec.http2.Http2Error.FRAME_SIZE_ERROR;
import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.nio.charset.StandardCharsets;

/**
 * Reads the frames of one connection (RFC 9113, section 4) from bytes in pieces of any size. Data is passed on as it
 * arrives; only small frames are gathered. One thread uses it.
 */
final class FrameDecoder {
    private static final int HEAD_BYTES = 9;

    /** The length of the longest frame other than DATA that is read, and of the longest header block, in bytes. */
    static final int MOST_GATHERED_BYTES = 64 * 1024;

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    private static final int PADDED = 0x8;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;
    private static final int SETTING_BYTES = 6;
    private static final int PING_BYTES = 8;
    private static final int WORD_BYTES = 4;
    private static final int GO_AWAY_BYTES = 8;
    private static final int TYPE_OFFSET = 3;

    private enum DecoderState {
        HEAD,
        PAD_LENGTH,
        DATA,
        PADDING,
        GATHERING,
        SKIPPING
    }

    private final FrameSink sink;
    private final int mostFrameBytes;
    private final ByteBuf head = Unpooled.buffer(HEAD_BYTES, HEAD_BYTES);
    private final ByteBuf gathered = Unpooled.buffer(256);
    private final ByteBuf block = Unpooled.buffer(256);
    private DecoderState state = DecoderState.HEAD;
    private boolean begun;
    private int type;
    private int flags;
    private int stream;
    private int left;
    private int padding;
    private int blockOf;
    private boolean blockIsLast;

    /** @param mostFrameBytes longest payload, as the peer was told */
    FrameDecoder(FrameSink sink, int mostFrameBytes) {
        this.sink = sink;
        this.mostFrameBytes = mostFrameBytes;
    }

    /** Takes the bytes that have arrived, and passes on views of them, each with a reference of its own. */
    void decode(ByteBuf in) throws ProtocolException {
        while (in.isReadable() || nothingLeft()) {
            switch (state) {
                case HEAD -> head(in);
                case PAD_LENGTH -> padLength(in);
                case DATA -> data(in);
                case PADDING, SKIPPING -> skip(in);
                case GATHERING -> gather(in);
            }
        }
    }

    /** Whether a frame's payload is over, so that no further byte is needed. */
    private boolean nothingLeft() {
        return state != DecoderState.HEAD && left == 0;
    }

    private void head(ByteBuf in) throws ProtocolException {
        in.readBytes(head, Math.min(in.readableBytes(), head.writableBytes()));
        if (head.isWritable()) {
            return;
        }
        if (!begun) {
            begun = true;
            requireSettings();
        }
        left = head.readUnsignedMedium();
        type = head.readUnsignedByte();
        flags = head.readUnsignedByte();
        stream = head.readInt() & Integer.MAX_VALUE;
        head.clear();
        if (left > mostFrameBytes) {
            throw new ProtocolException(FRAME_SIZE_ERROR, "a frame of " + left + " bytes");
        }
        if (blockOf != 0 && (type != Http2FrameTypes.CONTINUATION || stream != blockOf)) {
            throw new ProtocolException(PROTOCOL_ERROR, "a frame inside of a header block");
        }
        state = begin();
    }

    /** The first frame shows whether the peer speaks HTTP/2 at all. */
    private void requireSettings() throws ProtocolException {
        if (head.getByte(TYPE_OFFSET) != Http2FrameTypes.SETTINGS) {
            throw new ProtocolException(
                    PROTOCOL_ERROR,
                    "the peer does not speak HTTP/2. Hex dump for first 5 bytes: " + ByteBufUtil.hexDump(head, 0, 5));
        }
    }

    private DecoderState begin() throws ProtocolException {
        if (type == Http2FrameTypes.DATA) {
            requireStream();
            sink.data(stream, left);
            padding = 0;
            if ((flags & PADDED) == 0) {
                return DecoderState.DATA;
            }
            if (left == 0) {
                throw new ProtocolException(FRAME_SIZE_ERROR, "a padded frame without the length of its padding");
            }
            return DecoderState.PAD_LENGTH;
        }
        if (type == Http2FrameTypes.PUSH_PROMISE) {
            throw new ProtocolException(PROTOCOL_ERROR, "a push, which was refused");
        }
        if (type > Http2FrameTypes.CONTINUATION || type == Http2FrameTypes.PRIORITY) {
            return DecoderState.SKIPPING; // frames of unknown types must be ignored, and priorities concern no client
        }
        if (left > MOST_GATHERED_BYTES) {
            throw new ProtocolException(ENHANCE_YOUR_CALM, "a frame of type " + type + " with " + left + " bytes");
        }
        return DecoderState.GATHERING;
    }

    private void padLength(ByteBuf in) throws ProtocolException {
        padding = in.readUnsignedByte();
        left -= 1 + padding;
        if (left < 0) {
            throw new ProtocolException(PROTOCOL_ERROR, "more padding than frame");
        }
        state = DecoderState.DATA;
    }

    private void data(ByteBuf in) throws ProtocolException {
        int here = Math.min(left, in.readableBytes());
        if (here > 0) {
            left -= here;
            sink.piece(stream, in.readRetainedSlice(here));
        }
        if (left == 0) {
            left = padding;
            state = DecoderState.PADDING;
        }
    }

    private void skip(ByteBuf in) throws ProtocolException {
        int here = Math.min(left, in.readableBytes());
        in.skipBytes(here);
        left -= here;
        if (left == 0) {
            boolean wasData = state == DecoderState.PADDING;
            state = DecoderState.HEAD;
            if (wasData) {
                sink.dataEnded(stream, (flags & END_STREAM) != 0);
            }
        }
    }

    private void gather(ByteBuf in) throws ProtocolException {
        int here = Math.min(left, in.readableBytes());
        gathered.writeBytes(in, here);
        left -= here;
        if (left == 0) {
            state = DecoderState.HEAD;
            try {
                gathered(gathered);
            } finally {
                gathered.clear();
            }
        }
    }

    private void gathered(ByteBuf payload) throws ProtocolException {
        switch (type) {
            case Http2FrameTypes.HEADERS -> headers(payload);
            case Http2FrameTypes.CONTINUATION -> continuation(payload);
            case Http2FrameTypes.RST_STREAM -> {
                requireStream();
                requireBytes(payload, WORD_BYTES);
                sink.reset(stream, payload.readUnsignedInt());
            }
            case Http2FrameTypes.SETTINGS -> settings(payload);
            case Http2FrameTypes.PING -> {
                requireConnection();
                requireBytes(payload, PING_BYTES);
                sink.ping((flags & ACK) != 0, payload.readLong());
            }
            case Http2FrameTypes.GO_AWAY -> {
                requireConnection();
                if (payload.readableBytes() < GO_AWAY_BYTES) {
                    throw new ProtocolException(FRAME_SIZE_ERROR, "a GOAWAY that is too short");
                }
                int last = payload.readInt() & Integer.MAX_VALUE;
                sink.goAway(last, payload.readUnsignedInt(), payload.toString(StandardCharsets.UTF_8));
            }
            case Http2FrameTypes.WINDOW_UPDATE -> {
                requireBytes(payload, WORD_BYTES);
                sink.window(stream, payload.readInt() & Integer.MAX_VALUE);
            }
            default -> throw new IllegalStateException("type " + type + " is not gathered");
        }
    }

    private void headers(ByteBuf payload) throws ProtocolException {
        requireStream();
        int pad = (flags & PADDED) == 0 ? 0 : payload.isReadable() ? payload.readUnsignedByte() : 1;
        int priority = (flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES;
        int bytes = payload.readableBytes() - pad - priority;
        if (bytes < 0) {
            throw new ProtocolException(PROTOCOL_ERROR, "more padding than header block");
        }
        blockOf = stream;
        blockIsLast = (flags & END_STREAM) != 0;
        append(payload.slice(payload.readerIndex() + priority, bytes));
    }

    private void continuation(ByteBuf payload) throws ProtocolException {
        if (blockOf == 0) {
            throw new ProtocolException(PROTOCOL_ERROR, "a CONTINUATION of nothing");
        }
        append(payload);
    }

    private void append(ByteBuf fragment) throws ProtocolException {
        if (block.readableBytes() + fragment.readableBytes() > MOST_GATHERED_BYTES) {
            throw new ProtocolException(ENHANCE_YOUR_CALM, "a header block beyond " + MOST_GATHERED_BYTES + " bytes");
        }
        block.writeBytes(fragment);
        if ((flags & END_HEADERS) != 0) {
            int of = blockOf;
            blockOf = 0;
            try {
                sink.headers(of, block, blockIsLast);
            } finally {
                block.clear();
            }
        }
    }

    private void settings(ByteBuf payload) throws ProtocolException {
        requireConnection();
        boolean acknowledged = (flags & ACK) != 0;
        if (payload.readableBytes() % SETTING_BYTES != 0 || (acknowledged && payload.isReadable())) {
            throw new ProtocolException(FRAME_SIZE_ERROR, "SETTINGS that are none");
        }
        while (payload.isReadable()) {
            sink.setting(payload.readUnsignedShort(), payload.readUnsignedInt());
        }
        sink.settingsEnded(acknowledged);
    }

    private void requireStream() throws ProtocolException {
        if (stream == 0) {
            throw new ProtocolException(PROTOCOL_ERROR, "a frame of type " + type + " for no stream");
        }
    }

    /** A frame that concerns the whole connection names no stream (RFC 9113, sections 6.5, 6.7 and 6.8). */
    private void requireConnection() throws ProtocolException {
        if (stream != 0) {
            throw new ProtocolException(PROTOCOL_ERROR, "a frame of type " + type + " for a stream");
        }
    }

    private static void requireBytes(ByteBuf payload, int bytes) throws ProtocolException {
        if (payload.readableBytes() != bytes) {
            throw new ProtocolException(FRAME_SIZE_ERROR, "a frame of the wrong length");
        }
    }
}
