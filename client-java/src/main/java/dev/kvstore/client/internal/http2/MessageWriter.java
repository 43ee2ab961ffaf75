package dev.kvstore.client.internal.http2;

import io.grpc.Drainable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes one message to network memory, in pieces from a pool, or lends its bytes. One thread uses it. */
final class MessageWriter extends OutputStream {
    /** The length of the largest piece: several frames. A small message takes only the memory that it needs. */
    private static final int MOST_PIECE_BYTES = 256 * 1024;

    /**
     * The least number of bytes that are lent; fewer are copied, since a further piece costs the kernel and Netty about
     * as much.
     */
    private static final int LEAST_LENT_BYTES = 4096;

    private final ByteBufAllocator allocator;
    private final List<ByteBuf> pieces = new ArrayList<>();
    private int left;
    private @Nullable ByteBuf current;

    private MessageWriter(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /**
     * The pieces of a message, with the prefix before it.
     *
     * @param lends whether the socket can send {@link LentBytes}
     */
    static List<ByteBuf> message(InputStream message, ByteBufAllocator allocator, boolean lends) {
        MessageWriter writer = new MessageWriter(allocator);
        boolean whole = false;
        try (message) {
            int length = message.available();
            if (message instanceof LongStream stream) {
                writer.left = Deframer.PREFIX_BYTES + copied(stream.message(), lends);
                writer.prefix(length);
                writer.write(stream.message(), lends);
            } else {
                writer.left = Deframer.PREFIX_BYTES + length;
                writer.prefix(length);
                writer.write(message);
            }
            int written =
                    writer.pieces.stream().mapToInt(ByteBuf::readableBytes).sum() - Deframer.PREFIX_BYTES;
            if (written != length) {
                throw new IOException("a message of " + length + " bytes wrote " + written);
            }
            whole = true;
            return writer.pieces;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!whole) {
                writer.pieces.forEach(ByteBuf::release);
            }
        }
    }

    /** The pieces of a message without its prefix, for a transport that writes the prefix itself. */
    static List<ByteBuf> pieces(LongMessage message, ByteBufAllocator allocator, boolean lends) {
        MessageWriter writer = new MessageWriter(allocator);
        boolean whole = false;
        try {
            writer.left = copied(message, lends);
            writer.write(message, lends);
            whole = true;
            return writer.pieces;
        } finally {
            if (!whole) {
                writer.pieces.forEach(ByteBuf::release);
            }
        }
    }

    private void write(LongMessage message, boolean lends) {
        message.head().asReadOnlyByteBufferList().forEach(this::copy);
        if (lends && isLent(message)) {
            lend(message.bytes());
        } else {
            copy(message.bytes());
        }
    }

    private void prefix(int length) {
        room().writeByte(0).writeInt(length);
    }

    /** The number of bytes of a message that are not lent. */
    private static int copied(LongMessage message, boolean lends) {
        return lends && isLent(message) ? message.head().size() : message.length();
    }

    private static boolean isLent(LongMessage message) {
        ByteBuffer bytes = message.bytes();
        return message.lent() && bytes.isDirect() && !bytes.isReadOnly() && bytes.remaining() >= LEAST_LENT_BYTES;
    }

    private void lend(ByteBuffer bytes) {
        for (int at = 0; at < bytes.remaining(); at += MOST_PIECE_BYTES) {
            pieces.add(new LentBytes(allocator, bytes.slice(at, Math.min(bytes.remaining() - at, MOST_PIECE_BYTES))));
        }
    }

    private void copy(ByteBuffer bytes) {
        for (int at = 0; at < bytes.remaining(); ) {
            ByteBuf piece = room();
            int here = Math.min(bytes.remaining() - at, piece.writableBytes());
            piece.writeBytes(bytes.slice(at, here));
            at += here;
        }
    }

    private void write(InputStream message) throws IOException {
        if (message instanceof Drainable drainable) {
            drainable.drainTo(this);
        } else {
            message.transferTo(this);
        }
    }

    private ByteBuf room() {
        ByteBuf piece = current;
        if (piece == null || !piece.isWritable()) {
            int bytes = Math.max(1, Math.min(left, MOST_PIECE_BYTES));
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
