package dev.kvstore.listener;

import io.netty.buffer.ByteBuf;

/**
 * Walks over the frames that a client sends (HTTP/2, RFC 9113 section 4.1) and adds up the work that they ask for. It
 * reads the frames' headers alone and does not check them; the decoder does. For one connection, and its event loop.
 */
final class FrameCosts {
    /** Cost of a frame that begins a call. */
    static final int CALL = 4;

    /** Cost of any other frame, however long: flow control bounds its bytes. */
    static final int OTHER = 1;

    /** RFC 9113, section 3.4: {@code PRI * HTTP/2.0}, which every connection begins with. */
    static final int PREFACE_BYTES = 24;

    private static final int HEADER_BYTES = 9;
    private static final int TYPE_AT = 3;
    private static final int HEADERS = 1;

    /** Bytes of the current frame, without its header, that are still to come. */
    private int payload = PREFACE_BYTES;

    /** Bytes of the current header that have come, and their values so far. */
    private int headerBytes;

    private int length;
    private int type;

    private int spent;

    /** The sum since {@link #reset}. */
    int spent() {
        return spent;
    }

    void reset(int spent) {
        this.spent = spent;
    }

    /**
     * Walks over the bytes that were read, up to the end of the frame with which the sum reaches a budget.
     *
     * @param read is not changed
     * @return bytes from the reader's index to that end, or all
     */
    int walk(ByteBuf read, int budget) {
        int begin = read.readerIndex();
        int at = begin;
        int end = read.writerIndex();
        while (at < end) {
            if (payload > 0) {
                int here = Math.min(payload, end - at);
                payload -= here;
                at += here;
            } else if (spent >= budget) {
                break;
            } else {
                header(read.getUnsignedByte(at++));
            }
        }
        return at - begin;
    }

    private void header(int value) {
        if (headerBytes < TYPE_AT) {
            length = length << Byte.SIZE | value;
        } else if (headerBytes == TYPE_AT) {
            type = value;
        }
        if (++headerBytes == HEADER_BYTES) {
            spent += type == HEADERS ? CALL : OTHER;
            payload = length;
            headerBytes = 0;
            length = 0;
        }
    }
}
