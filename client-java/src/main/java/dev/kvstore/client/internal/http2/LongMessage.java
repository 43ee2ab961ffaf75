package dev.kvstore.client.internal.http2;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * A message with a long field, which comes last. Only the other fields are encoded, so that the long field stays where
 * it is until the transport takes it. Immutable.
 *
 * @param head all bytes before the long field
 * @param bytes the long field, from its position to its limit
 * @param lent whether the bytes stay as they are until the call is over, so that a transport may send them without a
 *     copy; if not, the transport copies them when the message is handed over
 */
public record LongMessage(ByteString head, ByteBuffer bytes, boolean lent) {

    public LongMessage {
        bytes = bytes.slice();
    }

    /**
     * Makes one of a generated message that embeds another, which has a field of bytes. Protobuf allows fields in any
     * order.
     *
     * @param message the message without the embedded one
     * @param number of the embedded message's field in {@code message}
     * @param embedded the embedded message without its field of bytes
     * @param bytesNumber the number of that field in {@code embedded}
     */
    public static LongMessage of(
            MessageLite message, int number, MessageLite embedded, int bytesNumber, ByteBuffer bytes, boolean lent) {
        int length = bytes.remaining();
        int before = embedded.getSerializedSize()
                + CodedOutputStream.computeTagSize(bytesNumber)
                + CodedOutputStream.computeUInt32SizeNoTag(length);
        byte[] head = new byte
                [message.getSerializedSize()
                        + CodedOutputStream.computeTagSize(number)
                        + CodedOutputStream.computeUInt32SizeNoTag(before + length)
                        + before];
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(head);
            message.writeTo(out);
            out.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(before + length);
            embedded.writeTo(out);
            out.writeTag(bytesNumber, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(length);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LongMessage(UnsafeByteOperations.unsafeWrap(head), bytes, lent);
    }

    /** The length on the wire, in bytes. */
    int length() {
        return head.size() + bytes.remaining();
    }

    /** A method like the given one whose requests are such messages; both are the same on the wire. */
    public static <R> MethodDescriptor<LongMessage, R> asking(MethodDescriptor<?, R> method) {
        return method.toBuilder(new Sent(), method.getResponseMarshaller()).build();
    }

    /** Whether the requests of a method are such messages. */
    static boolean isAskedBy(MethodDescriptor<?, ?> method) {
        return method.getRequestMarshaller() instanceof Sent;
    }

    private static final class Sent implements Marshaller<LongMessage> {
        @Override
        public InputStream stream(LongMessage message) {
            return new LongStream(message);
        }

        @Override
        public LongMessage parse(InputStream stream) {
            throw new IllegalStateException("a long message is not received");
        }
    }
}
