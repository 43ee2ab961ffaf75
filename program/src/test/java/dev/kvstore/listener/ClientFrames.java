package dev.kvstore.listener;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** The frames that a client of HTTP/2 sends. */
final class ClientFrames {
    static final int DATA = 0;
    static final int HEADERS = 1;

    /** Where a frame has the number of its call. */
    static final int STREAM_AT = 5;

    private ClientFrames() {}

    static ByteBuf preface() {
        return Unpooled.buffer().writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    }

    static ByteBuf frame(int type, int length) {
        return Unpooled.buffer()
                .writeMedium(length)
                .writeByte(type)
                .writeByte(0)
                .writeInt(1)
                .writeZero(length);
    }

    /** The preface, and so many frames that begin calls 1, 3, 5 and so on. */
    static ByteBuf calls(int count) {
        ByteBuf all = preface();
        for (int i = 0; i < count; i++) {
            ByteBuf call = frame(HEADERS, 30);
            all.writeBytes(call.setInt(STREAM_AT, 2 * i + 1));
        }
        return all;
    }
}
