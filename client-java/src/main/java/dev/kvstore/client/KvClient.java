package dev.kvstore.client;

import dev.kvstore.client.internal.BoundedThreads;
import dev.kvstore.client.internal.ClientOptions;
import dev.kvstore.client.internal.session.Session;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.util.List;

/**
 * A client of KV Store. Its methods block, also on virtual threads. One client serves a whole application and keeps
 * connections, a retry budget, and the health of the data planes. Thread-safe.
 *
 * <p>Every operation throws {@link KvStoreException} when it fails for good, retries included.
 */
public final class KvClient implements AutoCloseable {
    /** The longest prompt of a lookup, in blocks. */
    public static final int MAX_LOOKUP_BLOCKS = 65_536;

    /** The most partitions of one lookup. */
    public static final int MAX_LOOKUP_PARTITIONS = 64;

    private final ClientOptions options;
    private final Session session;
    private final BoundedThreads threads;

    KvClient(ClientOptions options) {
        this.options = options;
        this.session = new Session(options);
        this.threads = new BoundedThreads(options.maxAsyncCalls());
    }

    /** A builder of clients. */
    public static KvClientBuilder builder() {
        return new KvClientBuilder();
    }

    /**
     * Finds the longest stored prefix of a prompt, like {@link #lookup(Partition, BlockChain, CallOptions)} with the
     * client's options.
     */
    public Prefix lookup(Partition partition, BlockChain chain) {
        return lookup(partition, chain, CallOptions.DEFAULT);
    }

    /**
     * Finds the longest stored prefix of a prompt. Only hashes are sent, no tokens.
     *
     * @param chain at most {@link #MAX_LOOKUP_BLOCKS} blocks of this partition
     * @throws IllegalArgumentException if the chain is longer or of another partition
     */
    public Prefix lookup(Partition partition, BlockChain chain, CallOptions call) {
        ClientOptions.require(
                "chain", chain.root().equals(partition.root()), "is not of partition " + partition.name());
        ClientOptions.requireRange("chain: its length", chain.size(), 0, MAX_LOOKUP_BLOCKS);
        return chain.size() == 0 ? new Prefix(0, chain.root()) : session.lookup(partition, chain, call);
    }

    /**
     * Finds the longest stored prefix in each of several partitions, like {@link #lookupAll(List, CallOptions)} with
     * the client's options.
     */
    public CommonPrefix lookupAll(List<PartitionChain> prompts) {
        return lookupAll(prompts, CallOptions.DEFAULT);
    }

    /**
     * Finds the longest stored prefix of a prompt in each of several partitions, and the prefix that all of them have,
     * in one call. For an engine whose ranks have a partition each. Only hashes are sent. One data plane answers for
     * all partitions: that of the first partition's blocks; name the affinity of lookups, reads and writes, so that the
     * blocks of all ranks are in its memory. The client asks a data plane that is older than this operation for one
     * partition after the other.
     *
     * @param prompts 1 to {@link #MAX_LOOKUP_PARTITIONS}, with equal tokens per block; at most {@link
     *     #MAX_LOOKUP_BLOCKS} blocks in all
     * @throws KvStoreException {@code PERMISSION_DENIED} also if one of the partitions is not granted
     */
    public CommonPrefix lookupAll(List<PartitionChain> prompts, CallOptions call) {
        List<PartitionChain> asked = List.copyOf(prompts);
        ClientOptions.requireRange("prompts: how many", asked.size(), 1, MAX_LOOKUP_PARTITIONS);
        int blockTokens = asked.get(0).partition().blockTokens();
        int blocks = 0;
        for (PartitionChain prompt : asked) {
            ClientOptions.require(
                    "prompts",
                    prompt.partition().blockTokens() == blockTokens,
                    "must be of partitions with equal tokens per block");
            blocks = Math.addExact(blocks, prompt.chain().size());
        }
        ClientOptions.requireRange("prompts: their blocks", blocks, 0, MAX_LOOKUP_BLOCKS);
        return session.lookupAll(asked, call);
    }

    /** Reads a prompt's blocks, like {@link #read(List, CallOptions)} with the client's options. */
    public BlockStream read(BlockChain chain) {
        return read(chain, CallOptions.DEFAULT);
    }

    /**
     * Reads a prompt's blocks, usually those of {@code chain.prefix(prefix.cachedBlocks())}, like {@link #read(List,
     * CallOptions)}.
     */
    public BlockStream read(BlockChain chain, CallOptions call) {
        return session.read(chain, call);
    }

    /** Reads many blocks, in order, like {@link #read(List, CallOptions)} with the client's options. */
    public BlockStream read(List<Location> locations) {
        return read(locations, CallOptions.DEFAULT);
    }

    /**
     * Reads many blocks, in order. Returns at once; the deadline runs until the application has taken the last block.
     * The caller must close the stream, and every block that it yields.
     */
    public BlockStream read(List<Location> locations, CallOptions call) {
        return session.read(locations, call);
    }

    /** Reads one block, like {@link #readBlock(Location, CallOptions)} with the client's options. */
    public Block readBlock(Location location) {
        return readBlock(location, CallOptions.DEFAULT);
    }

    /**
     * Reads one block in one message; for many or big blocks, {@link #read} is faster.
     *
     * @throws KvStoreException {@code NOT_FOUND} if the block is not stored, {@code DATA_LOSS} if it is damaged
     */
    public Block readBlock(Location location, CallOptions call) {
        return session.readBlock(location, call);
    }

    /** Writes one block, like {@link #write(Partition, NewBlock, CallOptions)} with the client's options. */
    public WriteResult write(Partition partition, NewBlock block) {
        return write(partition, block, CallOptions.DEFAULT);
    }

    /**
     * Writes one block and waits until storage has made it durable.
     *
     * @throws IllegalArgumentException if the block does not fit the partition
     */
    public WriteResult write(Partition partition, NewBlock block, CallOptions call) {
        return session.write(partition, block, call);
    }

    /**
     * Writes many blocks through one stream, like {@link #writer(Partition, CallOptions)} with the client's options.
     */
    public BlockWriter writer(Partition partition) {
        return writer(partition, CallOptions.DEFAULT);
    }

    /**
     * Writes many blocks through one stream. The deadline runs until {@link BlockWriter#finish}. Name the affinity of
     * later lookups, so that they go to the data plane that has the blocks in memory. Without one the blocks go to any
     * data plane.
     */
    public BlockWriter writer(Partition partition, CallOptions call) {
        return session.writer(partition, call);
    }

    /**
     * Writes blocks of one prompt through one stream, like {@link #writer(Partition, BlockChain, CallOptions)} with the
     * client's options.
     */
    public BlockWriter writer(Partition partition, BlockChain prompt) {
        return writer(partition, prompt, CallOptions.DEFAULT);
    }

    /**
     * Writes blocks of one prompt through one stream, to the data plane that lookups and reads of that prompt go to.
     */
    public BlockWriter writer(Partition partition, BlockChain prompt, CallOptions call) {
        return session.writer(partition, prompt, call);
    }

    /** The counters of this client. */
    public ClientCounters counters() {
        return session.counters();
    }

    /** The same client for callers that must not block. Closing either closes both. */
    public KvAsyncClient async() {
        return new KvAsyncClient(this, threads, options.deadline());
    }

    /**
     * Ends open operations, and waits for them 5 s at most. Blocks that the application has taken stay valid until it
     * closes them.
     */
    @Override
    public void close() {
        threads.close();
        session.close();
    }
}
