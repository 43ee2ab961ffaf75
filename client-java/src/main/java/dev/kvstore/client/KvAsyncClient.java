package dev.kvstore.client;

import dev.kvstore.client.internal.BoundedThreads;
import dev.kvstore.client.internal.read.BlockPublisher;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * A {@link KvClient} for callers that must not block. Every operation runs on a thread of its own, from Java 21 on a
 * virtual thread, and completes its future there, with the result or the {@link KvStoreException} of {@link KvClient};
 * so code that depends on the future may block. More than {@code maxAsyncCalls} operations at a time, and those for
 * which the process can have no more threads, are refused with {@code RESOURCE_EXHAUSTED}. Ending a future early
 * ({@code cancel}, {@code orTimeout}) stops its operation. The future completes once the operation has stopped; from
 * then on a block's buffer is not read. Thread-safe.
 */
public final class KvAsyncClient implements AutoCloseable {
    private final KvClient client;
    private final BoundedThreads threads;
    private final Duration deadline;

    KvAsyncClient(KvClient client, BoundedThreads threads, Duration deadline) {
        this.client = client;
        this.threads = threads;
        this.deadline = deadline;
    }

    /** Finds the longest stored prefix of a prompt, like {@link KvClient#lookup(Partition, BlockChain)}. */
    public CompletableFuture<Prefix> lookup(Partition partition, BlockChain chain) {
        return lookup(partition, chain, CallOptions.DEFAULT);
    }

    /**
     * Finds the longest stored prefix of a prompt, like {@link KvClient#lookup(Partition, BlockChain, CallOptions)}.
     */
    public CompletableFuture<Prefix> lookup(Partition partition, BlockChain chain, CallOptions call) {
        return threads.run(() -> client.lookup(partition, chain, call));
    }

    /**
     * Finds the longest stored prefix in each of several partitions, like {@link KvClient#lookupAll(List,
     * CallOptions)}.
     */
    public CompletableFuture<CommonPrefix> lookupAll(List<PartitionChain> prompts, CallOptions call) {
        return threads.run(() -> client.lookupAll(prompts, call));
    }

    /** Reads one block, like {@link KvClient#readBlock(Location)}; the caller must close the block. */
    public CompletableFuture<Block> readBlock(Location location) {
        return readBlock(location, CallOptions.DEFAULT);
    }

    /** Reads one block, like {@link KvClient#readBlock(Location, CallOptions)}; the caller must close the block. */
    public CompletableFuture<Block> readBlock(Location location, CallOptions call) {
        return threads.run(() -> client.readBlock(location, call), Block::close);
    }

    /** Reads a prompt's blocks, like {@link #read(List, CallOptions)} with the client's options. */
    public Flow.Publisher<BlockResult> read(BlockChain chain) {
        return new BlockPublisher(chain.size(), deadline, () -> client.read(chain), threads);
    }

    /**
     * Reads many blocks, in order, like {@link KvClient#read(List, CallOptions)}. Every subscription is a read of its
     * own, on a thread of its own, so the subscriber may block. The subscriber must close each block. A subscriber that
     * asked for all blocks gets the signal of the end. A subscription whose subscriber asks for no more blocks fails
     * with {@code DEADLINE_EXCEEDED} at the deadline, and with {@code CANCELLED} when the client is closed; until then
     * it counts as an operation.
     */
    public Flow.Publisher<BlockResult> read(List<Location> locations, CallOptions call) {
        // The copy may contain null; the subscriber gets the refusal.
        List<Location> wanted = Collections.unmodifiableList(new ArrayList<>(locations));
        Duration named = call.deadline();
        return new BlockPublisher(
                wanted.size(), named == null ? deadline : named, () -> client.read(wanted, call), threads);
    }

    /** Writes one block, like {@link KvClient#write(Partition, NewBlock)}. */
    public CompletableFuture<WriteResult> write(Partition partition, NewBlock block) {
        return write(partition, block, CallOptions.DEFAULT);
    }

    /** Writes one block, like {@link KvClient#write(Partition, NewBlock, CallOptions)}. */
    public CompletableFuture<WriteResult> write(Partition partition, NewBlock block, CallOptions call) {
        return threads.run(() -> client.write(partition, block, call));
    }

    /**
     * The blocking client behind this one. Use it for {@link KvClient#writer}, whose blocks are written asynchronously
     * anyway.
     */
    public KvClient blocking() {
        return client;
    }

    /** Closes this client and the blocking one, like {@link KvClient#close}. */
    @Override
    public void close() {
        client.close();
    }
}
