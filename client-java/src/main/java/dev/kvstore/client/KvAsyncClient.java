package dev.kvstore.client;

import dev.kvstore.client.internal.read.BlockPublisher;
import dev.kvstore.client.internal.BoundedThreads;
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
 * {@link KvClient} for callers that must not block. Every operation runs on a thread of its own, from Java 21 on a
 * virtual thread, and completes its future there, with the result or the {@link KvStoreException} that {@link KvClient}
 * would give; so code that depends on the future may block. More than {@code maxAsyncCalls} operations at a time, and
 * those for which the process can have no more threads, are refused with {@code RESOURCE_EXHAUSTED}. Ending a future
 * early ({@code cancel}, {@code orTimeout}) stops its operation. The future completes once the operation has stopped;
 * from then on a block's buffer is not read. Thread-safe.
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

    /** As {@link KvClient#lookup(Partition, BlockChain)}. */
    public CompletableFuture<Prefix> lookup(Partition partition, BlockChain chain) {
        return lookup(partition, chain, CallOptions.DEFAULT);
    }

    /** As {@link KvClient#lookup(Partition, BlockChain, CallOptions)}. */
    public CompletableFuture<Prefix> lookup(Partition partition, BlockChain chain, CallOptions call) {
        return threads.run(() -> client.lookup(partition, chain, call));
    }

    /** As {@link KvClient#lookupAll(List, CallOptions)}. */
    public CompletableFuture<CommonPrefix> lookupAll(List<PartitionChain> prompts, CallOptions call) {
        return threads.run(() -> client.lookupAll(prompts, call));
    }

    /** As {@link KvClient#readBlock(Location)}; the caller must close the block. */
    public CompletableFuture<Block> readBlock(Location location) {
        return readBlock(location, CallOptions.DEFAULT);
    }

    /** As {@link KvClient#readBlock(Location, CallOptions)}; the caller must close the block. */
    public CompletableFuture<Block> readBlock(Location location, CallOptions call) {
        return threads.run(() -> client.readBlock(location, call), Block::close);
    }

    /** As {@link #read(List, CallOptions)} of a prompt's blocks. */
    public Flow.Publisher<BlockResult> read(BlockChain chain) {
        return new BlockPublisher(chain.size(), deadline, () -> client.read(chain), threads);
    }

    /**
     * As {@link KvClient#read(List, CallOptions)}. Every subscription is a read of its own, on a thread of its
     * own, so the subscriber may block. The subscriber must close each block. A subscriber that asked for all blocks
     * hears of the end. A subscription whose subscriber asks for no more block fails with {@code DEADLINE_EXCEEDED} at
     * the deadline, and with {@code CANCELLED} when the client is closed; until then it counts as an operation.
     */
    public Flow.Publisher<BlockResult> read(List<Location> locations, CallOptions call) {
        // With a null that may be among them: its refusal is the subscriber's to hear.
        List<Location> wanted = Collections.unmodifiableList(new ArrayList<>(locations));
        Duration named = call.deadline();
        return new BlockPublisher(
                wanted.size(), named == null ? deadline : named, () -> client.read(wanted, call), threads);
    }

    /** As {@link KvClient#write(Partition, NewBlock)}. */
    public CompletableFuture<WriteResult> write(Partition partition, NewBlock block) {
        return write(partition, block, CallOptions.DEFAULT);
    }

    /** As {@link KvClient#write(Partition, NewBlock, CallOptions)}. */
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

    /** As {@link KvClient#close}. */
    @Override
    public void close() {
        client.close();
    }
}
