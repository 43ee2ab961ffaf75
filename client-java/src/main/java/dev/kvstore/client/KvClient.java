package dev.kvstore.client;

import dev.kvstore.client.internal.Session;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.util.List;

/**
 * A client of KV Store. Its methods block; call them from virtual threads as you like. One client serves a whole
 * application: it keeps connections, a retry budget and what it knows of the processes' health. Thread-safe.
 *
 * <p>Every operation throws {@link KvStoreException} when it fails for good, retries included.
 */
public final class KvClient implements AutoCloseable {
    /** Longest prompt of a lookup, in blocks. */
    public static final int MAX_LOOKUP_BLOCKS = 65_536;

    private final ClientOptions options;
    private final Session session;

    KvClient(ClientOptions options) {
        this.options = options;
        this.session = new Session(options);
    }

    /** Where every client begins. */
    public static KvClientBuilder builder() {
        return new KvClientBuilder();
    }

    /** {@link #lookup(Partition, BlockChain, CallOptions)} with the client's options. */
    public Prefix lookup(Partition partition, BlockChain chain) {
        return lookup(partition, chain, CallOptions.DEFAULT);
    }

    /**
     * How long a prefix of a prompt is stored? Only hashes leave the client.
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

    /** {@link #read(List, CallOptions)} of a prompt's blocks with the client's options. */
    public BlockStream read(BlockChain chain) {
        return read(chain, CallOptions.DEFAULT);
    }

    /** {@link #read(List, CallOptions)} of a prompt's blocks, usually {@code chain.prefix(prefix.cachedBlocks())}. */
    public BlockStream read(BlockChain chain, CallOptions call) {
        return session.read(chain, call);
    }

    /** {@link #read(List, CallOptions)} with the client's options. */
    public BlockStream read(List<Location> locations) {
        return read(locations, CallOptions.DEFAULT);
    }

    /**
     * Reads many blocks, in order. Returns at once; the deadline covers everything until the last block is taken. Close
     * the stream, and every block it yields.
     */
    public BlockStream read(List<Location> locations, CallOptions call) {
        return session.read(locations, call);
    }

    /** {@link #readBlock(Location, CallOptions)} with the client's options. */
    public Block readBlock(Location location) {
        return readBlock(location, CallOptions.DEFAULT);
    }

    /**
     * Reads one block in one message; for many, or big ones, {@link #read} is faster.
     *
     * @throws KvStoreException {@code NOT_FOUND} if it is not stored, {@code DATA_LOSS} if it is damaged
     */
    public Block readBlock(Location location, CallOptions call) {
        return session.readBlock(location, call);
    }

    /** {@link #write(Partition, NewBlock, CallOptions)} with the client's options. */
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

    /** {@link #writer(Partition, CallOptions)} with the client's options. */
    public BlockWriter writer(Partition partition) {
        return writer(partition, CallOptions.DEFAULT);
    }

    /**
     * Writes many blocks through one stream. The deadline covers everything until {@link BlockWriter#finish}; name the
     * affinity that later lookups will have, so that they go where the blocks are known at once. Without one the blocks
     * go to any process.
     */
    public BlockWriter writer(Partition partition, CallOptions call) {
        return session.writer(partition, call);
    }

    /** {@link #writer(Partition, BlockChain, CallOptions)} with the client's options. */
    public BlockWriter writer(Partition partition, BlockChain prompt) {
        return writer(partition, prompt, CallOptions.DEFAULT);
    }

    /** Writes blocks of one prompt through one stream, to the process that lookups and reads of that prompt go to. */
    public BlockWriter writer(Partition partition, BlockChain prompt, CallOptions call) {
        return session.writer(partition, prompt, call);
    }

    /** What this client has seen. */
    public ClientCounters counters() {
        return session.counters();
    }

    /** The same client for callers that do not block. Closing either closes both. */
    public KvAsyncClient async() {
        return new KvAsyncClient(this, options.maxAsyncCalls());
    }

    /** Ends operations under way; waits 5 s at most. Blocks the application holds stay valid until they are closed. */
    @Override
    public void close() {
        session.close();
    }
}
