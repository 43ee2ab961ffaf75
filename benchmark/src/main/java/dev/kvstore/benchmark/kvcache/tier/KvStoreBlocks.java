package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Blocks of one partition of KV Store, through its Java SDK. A block that the store no longer has is an
 * {@link IOException}, a block that it returns damaged a {@link DamageException}: the benchmark wrote the block, so it
 * must be there. Thread-safe.
 */
public final class KvStoreBlocks implements AutoCloseable {
    // Off the heap, for blocks that are sent and not yet acknowledged.
    private static final long BUFFER_BYTES = 256L << 20;
    private static final int LEAST_BUFFERS = 2;
    private static final int MOST_BUFFERS = 64;

    private final KvClient client;
    private final Partition partition;
    private final NoiseContent content;
    private final AtomicLong room;
    private final BlockingQueue<ByteBuffer> buffers;

    /**
     * A block's bytes: a part of an entry.
     *
     * @param offset in the entry, of a page
     * @param bytes 1 or more
     */
    public record EntryPiece(EntryBytes blob, long offset, int bytes) {}

    /**
     * Blocks of a partition.
     *
     * @param client closed with it
     * @param mostBytes of one block's buffer, up to 64 MiB
     * @param room bytes that may be written in all
     */
    KvStoreBlocks(KvClient client, Partition partition, int mostBytes, NoiseContent content, long room) {
        this.client = client;
        this.partition = partition;
        this.content = content;
        this.room = new AtomicLong(room);
        int number = Math.clamp(BUFFER_BYTES / mostBytes, LEAST_BUFFERS, MOST_BUFFERS);
        this.buffers = new ArrayBlockingQueue<>(number);
        for (int i = 0; i < number; i++) {
            buffers.add(ByteBuffer.allocateDirect(mostBytes));
        }
    }

    Partition partition() {
        return partition;
    }

    /**
     * How many blocks of a chain the store says it has, from the first.
     *
     * @throws IOException if it cannot say
     */
    public int lookup(BlockChain chain) throws IOException {
        try {
            return client.lookup(partition, chain).cachedBlocks();
        } catch (KvStoreException e) {
            throw new IOException("blocks cannot be looked up: " + e.getMessage(), e);
        }
    }

    /**
     * Writes the blocks of a chain from one of them on, and returns when all are durable.
     *
     * @param tokens of a block, by its number in the chain
     * @param pieces its bytes
     * @param moved is told of the bytes of each block when it is durable
     */
    public IoTime write(
            BlockChain chain, int first, IntFunction<Tokens> tokens, IntFunction<EntryPiece> pieces, LongConsumer moved)
            throws IOException {
        long bytes = IntStream.range(first, chain.size())
                .mapToLong(i -> pieces.apply(i).bytes())
                .sum();
        if (room.addAndGet(-bytes) < 0) {
            throw new IOException("there is no room left: nothing is ever deleted from KV Store, so a shorter run or a"
                    + " larger disk is needed");
        }
        long begin = System.nanoTime();
        long making = 0;
        List<CompletableFuture<WriteResult>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(partition, chain)) {
            for (int i = first; i < chain.size(); i++) {
                EntryPiece piece = pieces.apply(i);
                ByteBuffer buffer = buffers.take();
                long start = System.nanoTime();
                ByteBuffer part = buffer.clear().limit(piece.bytes());
                content.fill(piece.blob(), piece.offset(), MemorySegment.ofBuffer(part));
                making += System.nanoTime() - start;
                acknowledgements.add(send(writer, NewBlock.of(chain, i, tokens.apply(i), buffer), buffer, moved));
            }
            writer.finish();
            for (int i = 0; i < acknowledgements.size(); i++) {
                if (acknowledgements.get(i).get().differs()) {
                    EntryPiece piece = pieces.apply(first + i);
                    throw new DamageException(piece.blob(), piece.offset());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the write was interrupted");
        } catch (ExecutionException | KvStoreException e) {
            Throwable cause = e.getCause() instanceof KvStoreException inner ? inner : e;
            throw new IOException("blocks cannot be written: " + cause.getMessage(), cause);
        }
        return new IoTime(System.nanoTime() - begin - making, 0);
    }

    private CompletableFuture<WriteResult> send(
            BlockWriter writer, NewBlock block, ByteBuffer buffer, LongConsumer moved) {
        CompletableFuture<WriteResult> sent;
        try {
            sent = writer.write(block);
        } catch (RuntimeException e) {
            buffers.add(buffer);
            throw e;
        }
        int bytes = block.buffer().remaining();
        return sent.whenComplete((_, failure) -> {
            buffers.add(buffer);
            if (failure == null) {
                moved.accept(bytes);
            }
        });
    }

    /**
     * Reads all blocks of a chain.
     *
     * @param pieces the expected bytes of each block, by its number in the chain
     * @param check whether stamps are looked at
     * @param moved is told of the bytes of each block when it is here
     */
    public IoTime read(BlockChain chain, IntFunction<EntryPiece> pieces, boolean check, LongConsumer moved)
            throws IOException {
        long begin = System.nanoTime();
        long checking = 0;
        int number = 0;
        try (BlockStream stream = client.read(chain)) {
            for (BlockResult result = stream.next(); result != null; result = stream.next()) {
                EntryPiece piece = pieces.apply(result.index());
                String text = "block at " + piece.offset() + " of entry "
                        + piece.blob().id();
                switch (result) {
                    case BlockResult.Found(Block found) -> {
                        try (Block block = found) {
                            moved.accept(block.length());
                            long start = System.nanoTime();
                            check(piece, block, check);
                            checking += System.nanoTime() - start;
                        }
                    }
                    case BlockResult.Missing _ ->
                        throw new IOException(text + " is not there any more: the store dropped it");
                    case BlockResult.Failed failed -> {
                        if (failed.reason().code() == ErrorCode.DATA_LOSS) {
                            throw new DamageException(piece.blob(), piece.offset());
                        }
                        throw new IOException(
                                text + " cannot be read: " + failed.reason().getMessage(), failed.reason());
                    }
                }
                number++;
            }
        } catch (KvStoreException e) {
            throw new IOException("blocks cannot be read: " + e.getMessage(), e);
        }
        if (number != chain.size()) {
            throw new IOException("of " + chain.size() + " blocks " + number + " came");
        }
        return new IoTime(System.nanoTime() - begin - checking, 0);
    }

    private static void check(EntryPiece piece, Block block, boolean check) throws IOException {
        if (block.length() != piece.bytes()) {
            throw new DamageException(piece.blob(), piece.offset() + Math.min(block.length(), piece.bytes()));
        }
        long offset = piece.offset();
        for (ByteBuffer part : block.buffers()) {
            NoiseContent.check(piece.blob(), offset, MemorySegment.ofBuffer(part), check);
            offset += part.remaining();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
