package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;

/**
 * A prompt in one of several partitions that are looked up together, such as one for each rank of a tensor-parallel
 * group. Immutable.
 *
 * @param chain the prompt's blocks in this partition
 * @param expectedBytes length in bytes of each block's buffer here; 0 means the length in the {@link CallOptions}
 */
public record PartitionChain(Partition partition, BlockChain chain, int expectedBytes) {
    public PartitionChain {
        ClientOptions.require(
                "chain", chain.root().equals(partition.root()), "is not of partition " + partition.name());
        ClientOptions.requireRange("expectedBytes", expectedBytes, 0, NewBlock.MAX_BUFFER_BYTES);
    }

    /** A prompt whose blocks have the length that the call's options name, if they name one. */
    public PartitionChain(Partition partition, BlockChain chain) {
        this(partition, chain, 0);
    }
}
