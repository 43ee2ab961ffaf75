package dev.kvstore.benchmark.peers.load;

import com.fasterxml.jackson.annotation.JsonValue;

/** The operation that clients repeat. */
public enum PeerOperation {
    STREAMING_READ("StreamingRead"),
    READ("Read"),
    WRITE("Write"),
    /** Raw TCP: many blocks for one request. */
    STREAM("stream"),
    /** One unary call of the stock gRPC server. */
    UNARY("unary"),
    GET("GET"),
    SET("SET"),
    /** nginx by sendfile(2). */
    SENDFILE("sendfile"),
    /** nginx through buffers of its own, 1 MiB each. */
    BUFFERS("1 MiB buffers");

    private final String text;

    PeerOperation(String text) {
        this.text = text;
    }

    /** Whether it stores blocks rather than asking for some that are stored. */
    public boolean writes() {
        return this == WRITE || this == SET;
    }

    /** The operation's name in reports. */
    @JsonValue
    @Override
    public String toString() {
        return text;
    }
}
