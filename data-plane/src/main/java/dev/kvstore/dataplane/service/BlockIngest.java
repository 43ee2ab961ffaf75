package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.block.StoreOutcome;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns a client's claim of a block into a block in storage, in memory and in presence. Thread-safe. */
public final class BlockIngest {
    /** A block as its client describes it. */
    record DeclaredBlock(
            List<Integer> tokens, ByteString extra, ByteString hash, ByteString parent, long bufferBytes) {}

    /** The names of a description's fields in the request that has them. */
    record FieldNames(String message, String buffer, String crc32c) {
        static final FieldNames OF_CHUNK = new FieldNames("chunk", "chunk.buffer", "chunk.crc32c");
        static final FieldNames OF_PART = new FieldNames("parts.head", "parts.head.buffer_bytes", "parts.crc32c");
    }

    private final VerifiedBlocks blocks;
    private final Tiers tiers;
    private final Presence presence;
    private final Heat heat;
    private final DescribedPartitions described;
    private final Allocator memory;

    /**
     * Takes blocks in.
     *
     * @param memory for descriptors of partitions, while they are read
     */
    public BlockIngest(
            VerifiedBlocks blocks,
            Tiers tiers,
            Presence presence,
            Heat heat,
            DescribedPartitions described,
            Allocator memory) {
        this.blocks = blocks;
        this.tiers = tiers;
        this.presence = presence;
        this.heat = heat;
        this.described = described;
        this.memory = memory;
    }

    /**
     * Checks a claim and makes room for its block.
     *
     * @param fields for messages
     */
    IncomingBlock open(
            RequestAuthorisation.AuthorisedAccount authorisedAccount,
            Partition partition,
            DeclaredBlock declared,
            FieldNames fields)
            throws CallRefusal, MemoryExhaustedException {
        String field = fields.message();
        int blockTokens = partition.blockTokens();
        if (declared.tokens().size() != blockTokens) {
            throw CallRefusal.invalid(
                    field + ".tokens", declared.tokens().size() + " tokens are no block; a block has " + blockTokens);
        }
        if (declared.extra().size() > BlockHeader.MAX_EXTRA_BYTES) {
            throw CallRefusal.invalid(field + ".extra", "must be at most " + BlockHeader.MAX_EXTRA_BYTES + " bytes");
        }
        BlockHash parent =
                declared.parent().isEmpty() ? partition.root() : hash(declared.parent(), field + ".parent_hash");
        // Copies, since the network memory they are views of goes before the block does.
        Tokens tokens = Tokens.of(declared.tokens().stream().mapToInt(i -> i).toArray());
        ByteBuffer extra = ByteBuffer.wrap(declared.extra().toByteArray());
        BlockHash hash = new BlockHasher().next(parent, extra, tokens);
        if (!declared.hash().isEmpty()
                && !hash(declared.hash(), field + ".hash").equals(hash)) {
            throw CallRefusal.invalid(
                    field + ".hash", "is not the hash of parent_hash, extra and tokens, which is " + hash);
        }
        if (declared.bufferBytes() < 1 || declared.bufferBytes() > BlockHeader.MAX_BUFFER_BYTES) {
            throw CallRefusal.invalid(
                    fields.buffer(),
                    "must be 1 to " + BlockHeader.MAX_BUFFER_BYTES + " bytes, not "
                            + Long.toUnsignedString(declared.bufferBytes()));
        }
        int bufferBytes = (int) declared.bufferBytes();
        int headerBytes = BlockHeader.headerBytes(
                blockTokens, extra.remaining(), authorisedAccount.keyId().length(), bufferBytes);
        return new IncomingBlock(
                authorisedAccount,
                partition,
                parent,
                hash,
                tokens,
                extra,
                blocks.allocate(authorisedAccount.account().storage(), headerBytes + bufferBytes),
                headerBytes,
                fields.crc32c());
    }

    private static BlockHash hash(ByteString bytes, String field) throws CallRefusal {
        if (bytes.size() != BlockHash.BYTES) {
            throw CallRefusal.invalid(field, "must be " + BlockHash.BYTES + " bytes, not " + bytes.size());
        }
        return WireNames.hash(bytes);
    }

    /** Stores a complete block; it remains the caller's to release. Returns when storage has made it durable. */
    WriteResponse store(IncomingBlock incoming) throws CallRefusal, StorageException, MemoryExhaustedException {
        StoredBlock block = incoming.seal();
        WriteResponse answer = store(incoming, block);
        heat.used(incoming.grant().account(), incoming.key(), block);
        return answer;
    }

    private WriteResponse store(IncomingBlock incoming, StoredBlock block)
            throws CallRefusal, StorageException, MemoryExhaustedException {
        BlockKey key = incoming.key();
        StoredBlock resident = tiers.resident(key);
        if (resident != null) {
            try {
                Presence.LookupProof proof = proof(key, incoming.grant().store(), resident.header());
                if (proof != null) {
                    describe(incoming);
                    BlockHeader header = resident.header();
                    return present(proof, incoming, block, header.crc32c(), header.bufferBytes());
                }
            } finally {
                resident.release();
            }
        }
        try (Presence.PendingWrite writing =
                presence.begin(key, incoming.grant().store())) {
            describe(incoming);
            return write(incoming, key, block, writing);
        }
    }

    /**
     * Proof that a block in memory is stored and found. Storage is asked: another process may have found the block
     * damaged and removed it, or stored it anew. Presence is asked: a write whose log failed left the block in memory.
     *
     * @return null if storage does not have this block; then memory does not have it any more either
     */
    private Presence.@Nullable LookupProof proof(BlockKey key, BlockStore store, BlockHeader resident)
            throws StorageException, MemoryExhaustedException {
        Presence.ExistenceQuery query = presence.asked(key);
        BlockHeader stored = blocks.header(store, key);
        if (stored == null && store.exists(key.blobName())) {
            // The block is damaged, in storage or on its way, as the next write finds out; it is not absent.
            tiers.forget(key);
            return null;
        }
        if (stored == null || !store.isDurable(key.blobName())) {
            presence.missing(key, query);
            return null;
        }
        if (!isSame(resident, stored.crc32c(), stored.bufferBytes())) {
            tiers.forget(key);
            return null;
        }
        Presence.LookupProof documented = presence.documented(key, store);
        if (documented != null) {
            return documented;
        }
        try (Presence.PendingWrite writing = presence.begin(key, store)) {
            return writing.wasStored(resident.bufferBytes());
        }
    }

    private WriteResponse write(IncomingBlock incoming, BlockKey key, StoredBlock block, Presence.PendingWrite writing)
            throws CallRefusal, StorageException, MemoryExhaustedException {
        Tiers.BlockMoment moment = tiers.now(key);
        return switch (outcome(incoming, key, block, writing)) {
            case StoreOutcome.BlockStored _ -> {
                tiers.keep(key, block, moment);
                yield answer(
                        writing.stored(block.header().bufferBytes()),
                        WriteResponse.Outcome.STORED,
                        block.header().crc32c(),
                        block.header().bufferBytes());
            }
            case StoreOutcome.BlockPresent there -> {
                if (isSame(block.header(), there.crc32c(), there.bufferBytes())) {
                    tiers.keep(key, block, moment);
                } else {
                    tiers.forget(key);
                }
                yield present(writing.wasStored(there), incoming, block, there.crc32c(), there.bufferBytes());
            }
            case StoreOutcome.Unreadable there -> throw CallRefusal.newerFormat(there.version());
        };
    }

    private StoreOutcome outcome(IncomingBlock incoming, BlockKey key, StoredBlock block, Presence.PendingWrite writing)
            throws StorageException, MemoryExhaustedException {
        try {
            return blocks.write(incoming.grant().store(), key, block);
        } catch (StorageException e) {
            if (e.isMaybeDone()) {
                writing.maybeStored();
            }
            throw e;
        }
    }

    private static boolean isSame(BlockHeader header, int crc32c, int bufferBytes) {
        return header.crc32c() == crc32c && header.bufferBytes() == bufferBytes;
    }

    /**
     * A key that may only write learns that the block is stored, and neither its checksum nor its length.
     *
     * @throws CallRefusal if the stored block has another length: its readers could not use the block of this writer
     */
    private static WriteResponse present(
            Presence.LookupProof proof, IncomingBlock incoming, StoredBlock block, int crc32c, int bufferBytes)
            throws CallRefusal {
        if (!incoming.grant().rights().in(incoming.partition().name(), Access.READ)) {
            return answer(proof, WriteResponse.Outcome.ALREADY_PRESENT, 0, 0);
        }
        if (bufferBytes != block.header().bufferBytes()) {
            throw CallRefusal.otherLayout(bufferBytes, block.header().bufferBytes());
        }
        return answer(proof, WriteResponse.Outcome.ALREADY_PRESENT, crc32c, bufferBytes);
    }

    private static WriteResponse answer(
            Presence.LookupProof proof, WriteResponse.Outcome outcome, int crc32c, int bufferBytes) {
        return WriteResponse.newBuilder()
                .setLocation(WireNames.field(proof.key().location()))
                .setOutcome(outcome)
                .setStoredCrc32C(crc32c)
                .setStoredBytes(bufferBytes)
                .build();
    }

    /** Leaves a partition's name beside its blocks; hashes alone would not tell an admin what they are. */
    private void describe(IncomingBlock incoming) throws StorageException, MemoryExhaustedException {
        described.describe(incoming.key(), incoming.grant().store(), memory, incoming::partition);
    }
}
