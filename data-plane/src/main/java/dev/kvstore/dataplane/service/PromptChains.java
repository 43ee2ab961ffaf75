package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** The prompts of lookups: checks them, and makes chains of them. Stateless. */
final class PromptChains {
    /** The tokens of a request, without an object for each. */
    record RequestTokens(int size, IntUnaryOperator tokens) implements Tokens {
        @Override
        public int get(int index) {
            return tokens.applyAsInt(index);
        }

        @Override
        public void putTo(ByteBuffer target, int from, int to) {
            for (int i = from; i < to; i++) {
                target.putInt(tokens.applyAsInt(i));
            }
        }
    }

    private PromptChains() {}

    /** The chain of a prompt that its hashes stand for, if there are any, and its tokens otherwise. */
    static BlockChain chain(Partition partition, ByteString hashes, Tokens tokens, List<ByteString> extras)
            throws CallRefusal {
        try {
            return hashes.isEmpty()
                    ? BlockChain.of(
                            partition,
                            tokens,
                            extras.stream()
                                    .map(ByteString::asReadOnlyByteBuffer)
                                    .toList())
                    : WireNames.chain(partition.root(), hashes);
        } catch (IllegalArgumentException e) {
            throw RequestAuthorisation.invalid(e);
        }
    }

    /** Number of blocks that {@link #chain} has. */
    static int blocks(Partition partition, ByteString hashes, Tokens tokens) {
        return hashes.isEmpty() ? tokens.size() / partition.blockTokens() : hashes.size() / BlockHash.BYTES;
    }

    /** Refuses a prompt that is given twice, and extras that are too long or belong to no tokens. */
    static void requireOneForm(String hashesField, boolean hashesGiven, Tokens tokens, List<ByteString> extras)
            throws CallRefusal {
        if (hashesGiven && tokens.size() > 0) {
            throw CallRefusal.invalid(hashesField, "give either tokens or block_hashes, not both");
        }
        if (hashesGiven && !extras.isEmpty()) {
            throw CallRefusal.invalid("extras", "belong to tokens; block_hashes already stand for them");
        }
        for (ByteString extra : extras) {
            if (extra.size() > BlockHeader.MAX_EXTRA_BYTES) {
                throw CallRefusal.invalid("extras", "each must be at most " + BlockHeader.MAX_EXTRA_BYTES + " bytes");
            }
        }
    }

    /** Refuses more blocks than one call may ask for. */
    static void requireBlocks(String field, long blocks) throws CallRefusal {
        if (blocks > ServiceLimits.LOOKUP_BLOCKS) {
            throw CallRefusal.invalid(
                    field, blocks + " blocks are more than the limit of " + ServiceLimits.LOOKUP_BLOCKS);
        }
    }
}
