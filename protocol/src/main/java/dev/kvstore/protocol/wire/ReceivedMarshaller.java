package dev.kvstore.protocol.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * Parses messages in place: {@code bytes} fields become views of network memory if the transport allows it, and are
 * copied if not. The counters tell which of the two happened. Thread-safe.
 */
final class ReceivedMarshaller<M extends MessageLite> implements Marshaller<Received<M>> {
    /**
     * The most fields of a message that become objects: twice as many as 65,536 blocks need. An empty field takes two
     * bytes, and its object a hundred times that.
     */
    static final int MAX_FIELDS = 2 * 65_536;

    private final M empty;
    private final Parser<M> parser;
    private final LongAdder inPlace = new LongAdder();
    private final LongAdder copied = new LongAdder();

    @SuppressWarnings("unchecked")
    ReceivedMarshaller(M empty) {
        this.empty = empty;
        // No code reads unknown fields, and each would become several objects.
        this.parser = (Parser<M>) DiscardUnknownFieldsParser.wrap((Parser<? extends Message>) empty.getParserForType());
    }

    /** The number of messages that were parsed in place. */
    long inPlace() {
        return inPlace.sum();
    }

    /** The number of messages whose bytes were copied to the heap. */
    long copied() {
        return copied.sum();
    }

    @Override
    public InputStream stream(Received<M> value) {
        throw new IllegalStateException("a received message is not sent");
    }

    @Override
    public Received<M> parse(InputStream stream) {
        int length = 0;
        try {
            length = stream.available();
            return stream instanceof KnownLength
                            && stream instanceof Detachable detachable
                            && stream instanceof HasByteBuffer source
                            && source.byteBufferSupported()
                    ? parseInPlace(detachable, length)
                    : parseCopy(stream, length);
        } catch (InvalidProtocolBufferException e) {
            return Received.malformed(empty, length, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Status.INTERNAL
                    .withDescription("reading a message failed")
                    .withCause(e)
                    .asRuntimeException();
        }
    }

    private Received<M> parseInPlace(Detachable detachable, int length) throws IOException {
        InputStream memory = detachable.detach();
        try {
            ByteString bytes = view(memory, length);
            int fields = countFields(bytes.newCodedInput());
            M message = parse(bytes.newCodedInput());
            inPlace.increment();
            return Received.of(message, length, fields, memory);
        } catch (IOException | RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    /** A view of all bytes of the stream; the stream's mark keeps them alive until it is closed. */
    private static ByteString view(InputStream memory, int length) throws IOException {
        memory.mark(length);
        ByteString bytes = ByteString.EMPTY;
        for (int left = length; left > 0; ) {
            ByteBuffer buffer = ((HasByteBuffer) memory).getByteBuffer();
            if (buffer == null || !buffer.hasRemaining()) {
                throw new IOException("network memory ended " + left + " bytes early");
            }
            left -= buffer.remaining();
            memory.skipNBytes(buffer.remaining());
            bytes = bytes.concat(UnsafeByteOperations.unsafeWrap(buffer));
        }
        memory.reset();
        return bytes;
    }

    private Received<M> parseCopy(InputStream stream, int length) throws IOException {
        ByteString bytes = ByteString.readFrom(stream);
        int fields = countFields(bytes.newCodedInput());
        M message = parse(bytes.newCodedInput());
        copied.increment();
        return Received.of(message, length, fields, null);
    }

    /** Counts the fields of the message itself that become objects; numbers do not. */
    private static int countFields(CodedInputStream input) throws IOException {
        input.setSizeLimit(Integer.MAX_VALUE);
        int fields = 0;
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            int type = WireFormat.getTagWireType(tag);
            if (type == WireFormat.WIRETYPE_LENGTH_DELIMITED && ++fields > MAX_FIELDS) {
                throw new InvalidProtocolBufferException("it has more than " + MAX_FIELDS + " fields");
            }
            if (!input.skipField(tag)) {
                throw new InvalidProtocolBufferException("a group ends that did not begin");
            }
        }
        return fields;
    }

    private M parse(CodedInputStream input) throws IOException {
        input.enableAliasing(true);
        input.setSizeLimit(Integer.MAX_VALUE);
        M message = parser.parseFrom(input);
        input.checkLastTagWas(0);
        return message;
    }
}
