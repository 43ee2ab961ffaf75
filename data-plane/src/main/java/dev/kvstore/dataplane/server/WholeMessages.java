package dev.kvstore.dataplane.server;

import static io.netty.handler.codec.http2.Http2CodecUtil.streamableBytes;

import dev.kvstore.protocol.wire.SendTurns;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.StreamByteDistributor;

/**
 * Sends the answers on a connection one after the other ({@link SendTurns}), within what their readers take: Netty's
 * own distributors send a piece of each in turn. Only for the connection's event loop.
 */
final class WholeMessages implements StreamByteDistributor {
    private final Http2Connection.PropertyKey key;
    private final SendTurns<StreamOutput> turns = new SendTurns<>(output -> output.bytes);
    private long streamable;

    /** @param connection that has no streams yet */
    private WholeMessages(Http2Connection connection) {
        this.key = connection.newKey();
        connection.connectionStream().setProperty(key, new StreamOutput(connection.connectionStream()));
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamAdded(Http2Stream stream) {
                stream.setProperty(key, new StreamOutput(stream));
            }

            @Override
            public void onStreamClosed(Http2Stream stream) {
                answer(stream).close();
            }
        });
    }

    /** Has a connection that has no streams yet send its answers in this way. */
    static void on(Http2Connection connection) {
        connection
                .remote()
                .flowController(new DefaultHttp2RemoteFlowController(connection, new WholeMessages(connection)));
    }

    @Override
    public void updateStreamableBytes(StreamState state) {
        answer(state.stream()).update(streamableBytes(state), state.hasFrame(), state.windowSize());
    }

    @Override
    public void updateDependencyTree(int child, int parent, short weight, boolean exclusive) {
        // Clients' priorities are not heard: HTTP/2 has given them up (RFC 9113, 5.3).
    }

    @Override
    public boolean distribute(int most, Writer writer) throws Http2Exception {
        int room = most;
        for (StreamOutput output = turns.next(); output != null; output = turns.next()) {
            if (output.isBlocked()) {
                output.queued = false;
            } else if (room == 0 && output.bytes > 0) {
                turns.putBack(output);
                break;
            } else {
                room -= output.write(Math.min(room, output.bytes), writer);
            }
        }
        return streamable > 0;
    }

    private StreamOutput answer(Http2Stream stream) {
        return stream.getProperty(key);
    }

    /** The bytes to be sent on one stream. */
    private final class StreamOutput {
        private final Http2Stream stream;

        /** The bytes that its reader takes now. */
        private int bytes;

        private int window;
        private boolean sendable;
        private boolean queued;
        private boolean writing;

        StreamOutput(Http2Stream stream) {
            this.stream = stream;
        }

        boolean isBlocked() {
            return window < 0;
        }

        void update(int bytes, boolean hasFrame, int window) {
            streamable += bytes - this.bytes;
            this.bytes = bytes;
            this.window = window;
            // Without a window only empty frames can go, and the stream that is writing had its chance to.
            sendable = hasFrame && (window > 0 || (window == 0 && !writing));
            if (sendable && !queued) {
                queued = true;
                turns.add(this);
            }
        }

        /** Writes bytes of the stream; returns how many. */
        int write(int most, Writer writer) throws Http2Exception {
            writing = true;
            try {
                writer.write(stream, most);
            } catch (Throwable t) {
                // A programming error, for which the interface wants the connection closed.
                throw Http2Exception.connectionError(Http2Error.INTERNAL_ERROR, t, "cannot write to a stream");
            } finally {
                writing = false;
            }
            queued = sendable;
            if (sendable) {
                turns.more(this, most);
            }
            return most;
        }

        void close() {
            if (queued) {
                queued = false;
                turns.remove(this);
            }
            update(0, false, 0);
        }
    }
}
