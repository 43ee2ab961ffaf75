package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.format.HeaderWriter;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** A block that is being received, directly in the form in which it is stored. For one thread. */
final class IncomingBlock {
    private final RequestAuthorisation.AuthorisedAccount account;
    private final Partition partition;
    private final BlockHash parent;
    private final BlockHash hash;
    private final Tokens tokens;
    private final ByteBuffer extra;
    private final BlockMemory memory;
    private final int headerBytes;
    private final String crcField;
    private int taken;
    private int crc32c;
    private OptionalInt expected = OptionalInt.empty();

    /**
     * A block in memory that is long enough for header and buffer, and belongs to the block from now on.
     *
     * @param crcField the name of the field with the checksum
     */
    IncomingBlock(
            RequestAuthorisation.AuthorisedAccount account,
            Partition partition,
            BlockHash parent,
            BlockHash hash,
            Tokens tokens,
            ByteBuffer extra,
            BlockMemory memory,
            int headerBytes,
            String crcField) {
        this.account = account;
        this.partition = partition;
        this.parent = parent;
        this.hash = hash;
        this.tokens = tokens;
        this.extra = extra;
        this.memory = memory;
        this.headerBytes = headerBytes;
        this.crcField = crcField;
    }

    RequestAuthorisation.AuthorisedAccount grant() {
        return account;
    }

    Partition partition() {
        return partition;
    }

    BlockKey key() {
        return new BlockKey(account.account().storage(), partition.root(), hash);
    }

    int bufferBytes() {
        return memory.length() - headerBytes;
    }

    /** Bytes of the buffer that were received. */
    int taken() {
        return taken;
    }

    /** Adds the next bytes of the buffer, which must fit, with their checksum. */
    void append(Iterable<ByteBuffer> bytes, int length, int crcOfBytes) {
        ByteBuffer target = memory.slice(headerBytes + taken, length);
        bytes.forEach(target::put);
        crc32c = Crc32c.combine(crc32c, crcOfBytes, length);
        taken += length;
    }

    /** Sets the checksum of the whole buffer that the client sent. */
    void expect(int wholeCrc32c) {
        expected = OptionalInt.of(wholeCrc32c);
    }

    /**
     * Completes the block. Its checksums are computed from the memory that will be stored, and must agree with the
     * client's, so that no byte was changed on the way.
     */
    StoredBlock seal() throws CallRefusal {
        BlockHeader header = HeaderWriter.write(
                memory.bytes(), headerBytes, partition.root(), parent, hash, tokens, extra, account.keyId());
        if (header.crc32c() != crc32c) {
            throw CallRefusal.invalid(crcField, "is not the checksum of the bytes that arrived");
        }
        if (expected.orElse(crc32c) != crc32c) {
            throw CallRefusal.invalid("parts.head.crc32c", "is not the checksum of the bytes that arrived");
        }
        return new StoredBlock(header, memory);
    }

    /** Gives the memory back. */
    void release() {
        memory.release();
    }
}
