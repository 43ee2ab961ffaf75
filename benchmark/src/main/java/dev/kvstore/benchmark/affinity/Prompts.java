package dev.kvstore.benchmark.affinity;

import dev.kvstore.benchmark.trace.Requests;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceRequest;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * The prompts of a trace, by names that follow from its blocks' numbers.
 *
 * @param source for people: which trace
 */
record Prompts(String source, List<BlockChain> chains) {
    private static final Partition PARTITION = Partition.of("trace", TraceRequest.BLOCK_TOKENS);

    static Prompts of(Trace trace) throws IOException {
        List<BlockChain> chains = new ArrayList<>();
        try (Requests requests = trace.open()) {
            for (TraceRequest request = requests.next(); request != null; request = requests.next()) {
                chains.add(chain(request.hashIds()));
            }
        }
        return new Prompts(trace.source(), List.copyOf(chains));
    }

    private static BlockChain chain(long[] ids) {
        ByteBuffer hashes = ByteBuffer.allocate(ids.length * BlockHash.BYTES);
        for (long id : ids) {
            hashes.put(hash(id));
        }
        return BlockChain.ofHashes(PARTITION.root(), List.of(hashes.flip()));
    }

    private static byte[] hash(long id) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    long blocks() {
        return chains.stream().mapToLong(BlockChain::size).sum();
    }
}
