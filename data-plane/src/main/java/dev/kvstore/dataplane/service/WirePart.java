package dev.kvstore.dataplane.service;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.kvstore.dataplane.wire.Lending;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.wire.WireNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ReadPart} without its bytes, written from a stored header as it lies: packed {@code fixed32} tokens are the
 * stored ones, which the generated code would take one by one. For small blocks, that took a sixth of all work.
 * Immutable.
 *
 * @param head in a block's first part, else null
 */
record WirePart(
        int index,
        int offset,
        boolean last,
        int crc32c,
        @Nullable Head head) implements Lending.Embedded {
    @Override
    public int wireBytes() {
        int bytes = 0;
        if (index != 0) {
            bytes += CodedOutputStream.computeUInt32Size(ReadPart.INDEX_FIELD_NUMBER, index);
        }
        if (offset != 0) {
            bytes += CodedOutputStream.computeUInt64Size(ReadPart.OFFSET_FIELD_NUMBER, offset);
        }
        if (last) {
            bytes += CodedOutputStream.computeBoolSize(ReadPart.LAST_FIELD_NUMBER, true);
        }
        if (head != null) {
            bytes += lengthDelimited(ReadPart.HEAD_FIELD_NUMBER, head.wireBytes());
        }
        if (crc32c != 0) {
            bytes += CodedOutputStream.computeFixed32Size(ReadPart.CRC32C_FIELD_NUMBER, crc32c);
        }
        return bytes;
    }

    @Override
    public void writeTo(CodedOutputStream out) throws IOException {
        if (index != 0) {
            out.writeUInt32(ReadPart.INDEX_FIELD_NUMBER, index);
        }
        if (offset != 0) {
            out.writeUInt64(ReadPart.OFFSET_FIELD_NUMBER, offset);
        }
        if (last) {
            out.writeBool(ReadPart.LAST_FIELD_NUMBER, true);
        }
        if (head != null) {
            begin(out, ReadPart.HEAD_FIELD_NUMBER, head.wireBytes());
            head.writeTo(out);
        }
        if (crc32c != 0) {
            out.writeFixed32(ReadPart.CRC32C_FIELD_NUMBER, crc32c);
        }
    }

    /** A {@link BlockHead}: the content of a stored header, taken from it once. */
    record Head(BlockHeader header, Tokens tokens, ByteBuffer extra, ByteBuffer writer) implements Lending.Embedded {
        static Head of(BlockHeader header) {
            return new Head(header, header.tokens(), header.extra(), header.keyIdBytes());
        }

        @Override
        public int wireBytes() {
            int extraBytes = extra.remaining();
            int writerBytes = writer.remaining();
            return lengthDelimited(BlockHead.TOKENS_FIELD_NUMBER, tokens.size() * Integer.BYTES)
                    + (extraBytes == 0 ? 0 : lengthDelimited(BlockHead.EXTRA_FIELD_NUMBER, extraBytes))
                    + lengthDelimited(BlockHead.HASH_FIELD_NUMBER, BlockHash.BYTES)
                    + lengthDelimited(BlockHead.PARENT_HASH_FIELD_NUMBER, BlockHash.BYTES)
                    + CodedOutputStream.computeUInt64Size(BlockHead.BUFFER_BYTES_FIELD_NUMBER, header.bufferBytes())
                    + CodedOutputStream.computeFixed32Size(BlockHead.CRC32C_FIELD_NUMBER, 0)
                    + (writerBytes == 0 ? 0 : lengthDelimited(BlockHead.WRITER_FIELD_NUMBER, writerBytes));
        }

        @Override
        public void writeTo(CodedOutputStream out) throws IOException {
            ByteBuffer packed =
                    ByteBuffer.allocate(tokens.size() * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            tokens.putTo(packed, 0, tokens.size());
            begin(out, BlockHead.TOKENS_FIELD_NUMBER, packed.capacity());
            out.writeRawBytes(packed.array());
            if (extra.hasRemaining()) {
                begin(out, BlockHead.EXTRA_FIELD_NUMBER, extra.remaining());
                out.writeRawBytes(extra);
            }
            out.writeBytes(BlockHead.HASH_FIELD_NUMBER, WireNames.field(header.hash()));
            out.writeBytes(BlockHead.PARENT_HASH_FIELD_NUMBER, WireNames.field(header.parent()));
            out.writeUInt64(BlockHead.BUFFER_BYTES_FIELD_NUMBER, header.bufferBytes());
            // The checksum is combined from those of all segments.
            out.writeFixed32(BlockHead.CRC32C_FIELD_NUMBER, header.crc32c());
            if (writer.hasRemaining()) {
                begin(out, BlockHead.WRITER_FIELD_NUMBER, writer.remaining());
                out.writeRawBytes(writer);
            }
        }
    }

    private static int lengthDelimited(int field, int length) {
        return CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt32SizeNoTag(length) + length;
    }

    private static void begin(CodedOutputStream out, int field, int length) throws IOException {
        out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(length);
    }
}
