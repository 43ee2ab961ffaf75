package dev.kvstore.client.internal.http2;

import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message in pieces of network memory. Closing gives the pieces back. One thread at a time uses it. */
final class MessageBytes extends InputStream implements KnownLength, HasByteBuffer, Detachable {
    private List<ByteBuf> pieces;
    private int left;
    private int piece;
    private int position;
    private int markedPiece;
    private int markedPosition;
    private int markedLeft;

    /** @param pieces non-empty pieces, whose references pass to this object */
    MessageBytes(List<ByteBuf> pieces, int bytes) {
        this.pieces = pieces;
        this.left = bytes;
    }

    @Override
    public int available() {
        return left;
    }

    @Override
    public int read() {
        ByteBuf current = current();
        if (current == null) {
            return -1;
        }
        int octet = current.getUnsignedByte(current.readerIndex() + position);
        advance(1);
        return octet;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        int done = 0;
        for (ByteBuf current = current(); current != null && done < length; current = current()) {
            int here = Math.min(length - done, current.readableBytes() - position);
            current.getBytes(current.readerIndex() + position, target, offset + done, here);
            advance(here);
            done += here;
        }
        return done == 0 ? -1 : done;
    }

    @Override
    public long skip(long bytes) {
        int wanted = (int) Math.max(0, Math.min(bytes, left));
        int toGo = wanted;
        for (ByteBuf current = current(); current != null && toGo > 0; current = current()) {
            int here = Math.min(toGo, current.readableBytes() - position);
            advance(here);
            toGo -= here;
        }
        return wanted;
    }

    @Override
    public boolean byteBufferSupported() {
        return true;
    }

    @Override
    public @Nullable ByteBuffer getByteBuffer() {
        ByteBuf current = current();
        return current == null
                ? null
                : current.nioBuffer(current.readerIndex() + position, current.readableBytes() - position);
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void mark(int limit) {
        markedPiece = piece;
        markedPosition = position;
        markedLeft = left;
    }

    @Override
    public void reset() {
        piece = markedPiece;
        position = markedPosition;
        left = markedLeft;
    }

    @Override
    public InputStream detach() {
        MessageBytes detached = new MessageBytes(pieces, left);
        detached.piece = piece;
        detached.position = position;
        forget();
        return detached;
    }

    @Override
    public void close() {
        List<ByteBuf> held = pieces;
        forget();
        held.forEach(ByteBuf::release);
    }

    private void forget() {
        pieces = List.of();
        left = 0;
        piece = 0;
        position = 0;
    }

    private @Nullable ByteBuf current() {
        return piece < pieces.size() ? pieces.get(piece) : null;
    }

    private void advance(int bytes) {
        position += bytes;
        left -= bytes;
        if (position == pieces.get(piece).readableBytes()) {
            piece++;
            position = 0;
        }
    }
}
