package dev.kvstore.dataplane.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.CompositeByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a message of embedded messages, each of which may have a large field that is lent and not copied. Such a field
 * comes last in its embedded message, which protobuf allows. For one thread.
 *
 * @param <M> the generated message
 */
public final class Lending<M extends MessageLite> {
    /** Shorter fields are copied: a piece more costs the kernel and Netty about as much as so many bytes. */
    private static final int SMALL_BYTES = 4096;

    /** The small fields between two blocks: tags, checksums, tokens of a block. */
    private static final int BETWEEN_BYTES = 1024;

    /** An embedded message that writes itself, field by field, as the generated code would. */
    public interface Embedded {
        /** Number of bytes that {@link #writeTo} writes. */
        int wireBytes();

        void writeTo(CodedOutputStream out) throws IOException;
    }

    private final ByteBufAllocator allocator;
    private @Nullable CompositeByteBuf pieces;
    private @Nullable ByteBuf small;
    private @Nullable CodedOutputStream coded;

    /** An empty message. */
    public Lending() {
        this(LendingAllocator.SHARED);
    }

    Lending(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Whether nothing was added. */
    public boolean isEmpty() {
        return pieces == null && small == null;
    }

    /** Adds an embedded message as field {@code number}. */
    public void add(int number, MessageLite embedded) {
        try {
            begin(number, embedded.getSerializedSize());
            embedded.writeTo(small());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds an embedded message as field {@code number}, and to it a field of bytes.
     *
     * @param embedded without the field of bytes
     * @param bytes off the heap; from its position to its limit
     * @param free run once nothing needs the bytes any more, by any thread, also if this throws; must not wait
     */
    public void add(int number, MessageLite embedded, int bytesNumber, ByteBuffer bytes, Runnable free) {
        add(number, generated(embedded), bytesNumber, bytes, free);
    }

    /** Adds a message that writes itself, and so needs no object, and lends its bytes. */
    public void add(int number, Embedded embedded, int bytesNumber, ByteBuffer bytes, Runnable free) {
        boolean lent = false;
        try {
            int length = bytes.remaining();
            CodedOutputStream out = begin(
                    number,
                    embedded.wireBytes()
                            + CodedOutputStream.computeTagSize(bytesNumber)
                            + CodedOutputStream.computeUInt32SizeNoTag(length)
                            + length);
            embedded.writeTo(out);
            out.writeTag(bytesNumber, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(length);
            if (length < SMALL_BYTES) {
                out.writeRawBytes(bytes);
            } else {
                endSmall();
                lent = true;
                pieces().addComponent(true, new LentBytes(allocator, bytes, free));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!lent) {
                free.run();
            }
        }
    }

    private CodedOutputStream begin(int number, int length) throws IOException {
        CodedOutputStream out = small();
        out.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(length);
        return out;
    }

    private static Embedded generated(MessageLite message) {
        return new Embedded() {
            @Override
            public int wireBytes() {
                return message.getSerializedSize();
            }

            @Override
            public void writeTo(CodedOutputStream out) throws IOException {
                message.writeTo(out);
            }
        };
    }

    /** The pieces, made once something is added: a message that is never made holds nothing. */
    private CompositeByteBuf pieces() {
        CompositeByteBuf all = pieces;
        if (all == null) {
            all = allocator.compositeDirectBuffer(Integer.MAX_VALUE);
            pieces = all;
        }
        return all;
    }

    private CodedOutputStream small() {
        CodedOutputStream out = coded;
        if (out == null) {
            ByteBuf buffer = allocator.directBuffer(BETWEEN_BYTES);
            small = buffer;
            out = CodedOutputStream.newInstance(new ByteBufOutputStream(buffer), BETWEEN_BYTES);
            coded = out;
        }
        return out;
    }

    private void endSmall() throws IOException {
        ByteBuf buffer = small;
        CodedOutputStream out = coded;
        if (buffer == null || out == null) {
            return;
        }
        out.flush();
        small = null;
        coded = null;
        pieces().addComponent(true, buffer);
    }

    /** The message; nothing may be added afterwards. */
    public ZeroCopyMessage<M> make() {
        try {
            endSmall();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ZeroCopyMessage<>(pieces());
    }

    /** Gives everything back, in place of {@link #make}. */
    public void clear() {
        if (!isEmpty()) {
            make().release();
        }
    }
}
