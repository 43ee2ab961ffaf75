package dev.kvstore.protocol.wire;

import io.grpc.Metadata;

/** The server's version and limits, in the metadata of every answer. */
public final class ServerInfo {
    /** The version of the server, such as {@code 0.1.0}. */
    public static final Metadata.Key<String> VERSION = key("kvstore-version");

    /** The largest buffer of a block, in bytes, decimal. */
    public static final Metadata.Key<String> MAX_BLOCK_BYTES = key("kvstore-max-block-bytes");

    /** The largest part of a stream, in bytes, decimal. */
    public static final Metadata.Key<String> MAX_PART_BYTES = key("kvstore-max-part-bytes");

    private ServerInfo() {}

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
