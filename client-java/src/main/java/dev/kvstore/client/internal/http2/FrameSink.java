package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBuf;

/** Receives the frames that a {@link FrameDecoder} reads, in order. */
interface FrameSink {
    /**
     * Begins a DATA frame.
     *
     * @param bytes the length of its payload, padding included, as flow control counts it
     */
    void data(int stream, int bytes) throws ProtocolException;

    /** Receives a piece of the frame's data, 1 byte or more. */
    void piece(int stream, ByteBuf piece) throws ProtocolException;

    /** Ends the DATA frame; {@code last} also ends the peer's side of the stream. */
    void dataEnded(int stream, boolean last) throws ProtocolException;

    /** Receives all fields of a header block, compressed; the buffer must not be kept. */
    void headers(int stream, ByteBuf block, boolean last) throws ProtocolException;

    /** Receives the peer's reset of a stream. */
    void reset(int stream, long error) throws ProtocolException;

    /** Receives one of the peer's settings. */
    void setting(int name, long value) throws ProtocolException;

    /** Ends a SETTINGS frame, which may be the peer's acknowledgement of ours. */
    void settingsEnded(boolean acknowledged) throws ProtocolException;

    void ping(boolean answer, long content) throws ProtocolException;

    /** Receives the peer's notice that it takes no streams after {@code last}. */
    void goAway(int last, long error, String why) throws ProtocolException;

    /** Widens the window of a stream, or of the connection if {@code stream} is 0. */
    void window(int stream, int bytes) throws ProtocolException;
}
