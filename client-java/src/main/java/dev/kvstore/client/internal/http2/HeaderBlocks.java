package dev.kvstore.client.internal.http2;

import io.grpc.Metadata;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;

/** Converts header fields of one connection to bytes and back (HPACK, RFC 7541). One thread uses it. */
final class HeaderBlocks {
    /** The most bytes of fields in an answer, as gRPC counts them: names, values and 32 each. */
    static final int MOST_BYTES = 32 * 1024;

    /**
     * The bytes of fields that each side remembers (RFC 9113, section 6.5.2): the default of a peer that sends no
     * setting.
     */
    private static final int TABLE_BYTES = 4096;

    private static final AsciiString POST = AsciiString.cached("POST");
    private static final AsciiString TE = AsciiString.cached("te");
    private static final AsciiString TRAILERS = AsciiString.cached("trailers");
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString GRPC = AsciiString.cached("application/grpc");
    private static final AsciiString USER_AGENT = AsciiString.cached("user-agent");
    private static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");

    private final AsciiString scheme;
    private final AsciiString authority;
    private final AsciiString userAgent;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true, MOST_BYTES);
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();

    HeaderBlocks(boolean encrypted, String authority, String userAgent) {
        this.scheme = AsciiString.of(encrypted ? "https" : "http");
        this.authority = AsciiString.of(authority);
        this.userAgent = AsciiString.of(userAgent);
    }

    /**
     * Limits the remembered fields to those that the peer's decoder keeps. This side has to keep the fields that it may
     * refer to as well, so it never uses more than its own table.
     */
    void peerTable(long bytes) throws ProtocolException {
        try {
            encoder.configuration().maxHeaderTableSize(Math.min(bytes, TABLE_BYTES));
        } catch (Http2Exception e) {
            throw new ProtocolException(Http2Error.PROTOCOL_ERROR, "SETTINGS_HEADER_TABLE_SIZE " + bytes);
        }
    }

    /** Encodes a call's request fields. */
    void encode(int stream, String path, String timeout, Metadata metadata, ByteBuf target) {
        Http2Headers fields = new DefaultHttp2Headers(false)
                .method(POST)
                .scheme(scheme)
                .path(AsciiString.of(path))
                .authority(authority)
                .add(TE, TRAILERS)
                .add(CONTENT_TYPE, GRPC)
                .add(USER_AGENT, userAgent);
        if (!timeout.isEmpty()) {
            fields.add(TIMEOUT, timeout);
        }
        for (String name : metadata.keys()) {
            add(fields, name, metadata);
        }
        try {
            encoder.encodeHeaders(stream, fields, target);
        } catch (Http2Exception e) {
            throw new IllegalArgumentException("the metadata of a call: " + e.getMessage(), e);
        }
    }

    private static void add(Http2Headers fields, String name, Metadata metadata) {
        if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
            Iterable<byte[]> values = metadata.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER));
            if (values != null) {
                values.forEach(value ->
                        fields.add(name, Base64.getEncoder().withoutPadding().encodeToString(value)));
            }
        } else {
            Iterable<String> values = metadata.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
            if (values != null) {
                values.forEach(value -> fields.add(name, value));
            }
        }
    }

    /**
     * The header fields of a server's answer.
     *
     * @param status the HTTP status; 0 in trailers, which have none
     */
    record ResponseFields(int status, Metadata metadata) {}

    /**
     * Decodes the fields of a block. Every block must be decoded, since later ones build on it.
     *
     * @throws ProtocolException if the block cannot be decoded; then the connection is of no use
     * @throws BadFieldsException if the fields are no metadata, which concerns the stream alone
     */
    ResponseFields decode(int stream, ByteBuf block) throws ProtocolException, BadFieldsException {
        Http2Headers fields;
        try {
            fields = decoder.decodeHeaders(stream, block);
        } catch (Http2Exception e) {
            if (Http2Exception.isStreamError(e)) {
                throw new BadFieldsException(e);
            }
            throw new ProtocolException(e.error(), String.valueOf(e.getMessage()));
        }
        try {
            int status = fields.status() == null
                    ? 0
                    : Integer.parseInt(fields.status().toString());
            Metadata metadata = new Metadata();
            for (Map.Entry<CharSequence, CharSequence> field : fields) {
                put(
                        metadata,
                        field.getKey().toString().toLowerCase(Locale.ROOT),
                        field.getValue().toString());
            }
            return new ResponseFields(status, metadata);
        } catch (IllegalArgumentException e) {
            throw new BadFieldsException(e);
        }
    }

    private static void put(Metadata metadata, String name, String value) {
        if (name.startsWith(":")) {
            return;
        }
        if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
            for (String part : value.split(",", -1)) {
                metadata.put(
                        Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER),
                        Base64.getDecoder().decode(part.strip()));
            }
        } else {
            metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
        }
    }

    /** The failure of fields that are too many or that gRPC does not allow. */
    static final class BadFieldsException extends Exception {
        private static final long serialVersionUID = 1L;

        BadFieldsException(Exception cause) {
            super(cause.getMessage(), cause);
        }
    }
}
