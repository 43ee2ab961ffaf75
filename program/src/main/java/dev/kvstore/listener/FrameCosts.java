package dev.kvstore.listener;

import io.netty.buffer.ByteBuf;

/**
 * Walks over the frames that a client sends (HTTP/2, RFC 9113 section 4.1) and adds up the work that they cause. It
 * reads the frames' headers alone and leaves their checks to the decoder. Each connection has its own, which only its
 * event loop uses.
 */
final class FrameCosts {
    /** The cost of a frame that begins a call. */
    static final int CALL = 4;

    /** The cost of any other frame, however long: flow control bounds its bytes. */
    static final int OTHER = 1;

    /** The length of {@code PRI * HTTP/2.0}, with which every connection begins (RFC 9113, section 3.4). */
    static final int PREFACE_BYTES = 24;

    private static final int HEADER_BYTES = 9;
    private static final int TYPE_AT = 3;
    private static final int HEADERS = 1;

    /** The bytes of the current frame, without its header, that are still to come. */
    private int payload = PREFACE_BYTES;

    /** The bytes of the current header that have come, and their values so far. */
    private int headerBytes;

    private int length;
    private int type;

    private int spent;

    /** The sum of costs since {@link #reset}. */
    int spent() {
        return spent;
    }

    void reset(int spent) {
        this.spent = spent;
    }

    /**
     * Walks over the bytes that were read, up to the end of the frame with which the sum reaches a budget.
     *
     * @param read the bytes, which this method does not change
     * @return the number of bytes from the reader's index to that end, or of all bytes
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
