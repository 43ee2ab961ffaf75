package dev.kvstore.client.internal.http2;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A {@link LongMessage} for grpc-java, which takes the message in pieces if it can ({@link RequestPieces}), and copies
 * it if not. One thread uses it.
 */
final class LongStream extends InputStream implements KnownLength, Drainable {
    private final LongMessage message;
    private final InputStream bytes;

    LongStream(LongMessage message) {
        this.message = message;
        this.bytes = message.head()
                .concat(UnsafeByteOperations.unsafeWrap(message.bytes()))
                .newInput();
    }

    LongMessage message() {
        return message;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        if (RequestPieces.take(message)) {
            return message.length();
        }
        CodedOutputStream out = CodedOutputStream.newInstance(target);
        out.writeRawBytes(message.head());
        out.writeRawBytes(message.bytes());
        out.flush();
        return message.length();
    }

    @Override
    public int available() throws IOException {
        return bytes.available();
    }

    @Override
    public int read() throws IOException {
        return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return bytes.read(target, offset, length);
    }
}
