package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBuf;

/** Hears of what a {@link FrameDecoder} finds, in order. */
interface FrameSink {
    /**
     * A DATA frame begins.
     *
     * @param bytes its payload, padding included: what counts for flow control
     */
    void data(int stream, int bytes) throws ProtocolException;

    /** A piece of the frame's data, 1 byte or more. */
    void piece(int stream, ByteBuf piece) throws ProtocolException;

    /** The frame is over; {@code last}: so is what the peer sends on the stream. */
    void dataEnded(int stream, boolean last) throws ProtocolException;

    /** All fields of a header block, compressed; the buffer is not to be kept. */
    void headers(int stream, ByteBuf block, boolean last) throws ProtocolException;

    /** The peer gives a stream up. */
    void reset(int stream, long error) throws ProtocolException;

    /** One of the peer's settings. */
    void setting(int name, long value) throws ProtocolException;

    /** A SETTINGS frame is over, or the peer has taken ours. */
    void settingsEnded(boolean acknowledged) throws ProtocolException;

    void ping(boolean answer, long content) throws ProtocolException;

    /** The peer takes no streams after {@code last}. */
    void goAway(int last, long error, String why) throws ProtocolException;

    /** More may be sent on a stream, or on the connection if {@code stream} is 0. */
    void window(int stream, int bytes) throws ProtocolException;
}
