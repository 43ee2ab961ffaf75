package dev.kvstore.client.internal.http2;

import io.grpc.Drainable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes one message to network memory, in pieces that a pool has at hand. For one thread. */
final class Outgoing extends OutputStream {
    /** A large piece is several frames' worth; a small message takes what it needs. */
    private static final int MOST_PIECE_BYTES = 256 * 1024;

    private final ByteBufAllocator allocator;
    private final List<ByteBuf> pieces = new ArrayList<>();
    private int left;
    private @Nullable ByteBuf current;

    private Outgoing(ByteBufAllocator allocator, int bytes) {
        this.allocator = allocator;
        this.left = bytes;
    }

    /** A message with what goes before it. */
    static List<ByteBuf> message(InputStream message, ByteBufAllocator allocator) {
        Outgoing out = null;
        try (message) {
            int length = message.available();
            out = new Outgoing(allocator, Deframer.PREFIX_BYTES + length);
            out.room().writeByte(0).writeInt(length);
            if (message instanceof Drainable drainable) {
                drainable.drainTo(out);
            } else {
                message.transferTo(out);
            }
            int written = out.pieces.stream().mapToInt(ByteBuf::readableBytes).sum() - Deframer.PREFIX_BYTES;
            if (written != length) {
                throw new IOException("a message of " + length + " bytes wrote " + written);
            }
            return out.pieces;
        } catch (IOException | RuntimeException e) {
            if (out != null) {
                out.pieces.forEach(ByteBuf::release);
            }
            throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
        }
    }

    private ByteBuf room() {
        ByteBuf piece = current;
        if (piece == null || !piece.isWritable()) {
            int bytes = Math.clamp(left, 1, MOST_PIECE_BYTES);
            piece = allocator.directBuffer(bytes, bytes);
            pieces.add(piece);
            current = piece;
            left -= bytes;
        }
        return piece;
    }

    @Override
    public void write(int octet) {
        room().writeByte(octet);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        int done = 0;
        while (done < length) {
            ByteBuf piece = room();
            int here = Math.min(length - done, piece.writableBytes());
            piece.writeBytes(source, offset + done, here);
            done += here;
        }
    }
}
