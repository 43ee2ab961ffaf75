package dev.kvstore.client.internal;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.session.Session;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Tokens;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An application that does everything that it may, in random order. It frees each buffer of a block as soon as the
 * block's future completes. For one thread.
 */
final class RandomApplication {
    private static final long PATIENCE_SECONDS = 30;

    private final Session session;
    private final BlockChain chain;
    private final SplittableRandom random;
    private final ApplicationFaults faults;
    private final BoundedThreads threads = new BoundedThreads(100);
    private final Queue<Block> kept = new ArrayDeque<>();

    RandomApplication(Session session, BlockChain chain, long seed, ApplicationFaults faults) {
        this.session = session;
        this.chain = chain;
        this.random = new SplittableRandom(seed);
        this.faults = faults;
    }

    /** Length of a block: some have one part, some many. */
    static int bytes(int index) {
        return 1_000 + index * index * 5_000;
    }

    void run(int operations) {
        for (int i = 0; i < operations; i++) {
            try {
                switch (random.nextInt(6)) {
                    case 0 -> lookUp();
                    case 1 -> readOne();
                    case 2 -> read();
                    case 3 -> writeOne();
                    default -> write();
                }
            } catch (RuntimeException | Error e) {
                faults.judge(e);
            }
            boolean _ = Thread.interrupted();
            while (kept.size() > 5) {
                verify(kept.remove());
            }
        }
        kept.forEach(this::verify);
    }

    private CallOptions options() {
        Duration deadline = switch (random.nextInt(10)) {
            case 0 -> Duration.ofNanos(60_000);
            case 1, 2 -> Duration.ofMillis(20);
            default -> Duration.ofMillis(300);
        };
        return CallOptions.DEFAULT.withDeadline(deadline).withAffinity("conversation " + random.nextInt(10));
    }

    private void lookUp() {
        var _ = session.lookup(SdkBlocks.PARTITION, chain, options());
    }

    private void readOne() {
        int index = random.nextInt(chain.size());
        CallOptions options = options();
        CompletableFuture<Block> future =
                threads.run(() -> session.readBlock(chain.location(index), options), Block::close);
        endEarly(future);
        CompletableFuture<Void> verified =
                future.thenAccept(block -> verify(block, index)); // an index of the list, which has one
        end(verified);
    }

    private void read() {
        BlockChain asked = chain.prefix(1 + random.nextInt(chain.size()));
        BlockStream stream = session.read(asked, options());
        switch (random.nextInt(5)) {
            case 0 -> Thread.startVirtualThread(stream::close);
            case 1 -> Thread.currentThread().interrupt();
            default -> {}
        }
        try (stream) {
            int wanted = random.nextInt(asked.size() + 2);
            for (int taken = 0; taken < wanted; taken++) {
                if (random.nextInt(8) == 0) {
                    lookUp(); // while the stream pauses
                }
                BlockResult result = stream.next();
                if (result instanceof BlockResult.Found found) {
                    kept.add(found.block());
                }
            }
        }
    }

    private void verify(Block block) {
        verify(block, block.index());
    }

    private void verify(Block block, int index) {
        try (block) {
            ByteBuffer copy = ByteBuffer.allocate(block.length());
            block.copyTo(copy);
            if (!Arrays.equals(copy.array(), SdkBlocks.payload(index, bytes(index)))) {
                faults.add("block " + index + " has other bytes");
            }
        }
    }

    private void writeOne() {
        try (FreedBlock lent = new FreedBlock()) {
            CallOptions options = options();
            CompletableFuture<WriteResult> future =
                    threads.run(() -> session.write(SdkBlocks.PARTITION, lent.block, options));
            endEarly(future);
            lent.freeAfter(future);
        }
    }

    private void write() {
        List<FreedBlock> all = new ArrayList<>();
        try (BlockWriter writer = session.writer(SdkBlocks.PARTITION, options())) {
            int blocks = random.nextInt(10);
            for (int i = 0; i < blocks; i++) {
                all.add(write(writer));
            }
            if (random.nextBoolean()) {
                writer.finish();
            }
        }
        all.forEach(FreedBlock::close);
    }

    private FreedBlock write(BlockWriter writer) {
        FreedBlock lent = new FreedBlock();
        boolean begun = false;
        try {
            CompletableFuture<WriteResult> future = writer.write(lent.block);
            begun = true;
            endEarly(future);
            lent.freeAfter(future);
            return lent;
        } finally {
            if (!begun) {
                lent.memory.close();
            }
        }
    }

    private void endEarly(CompletableFuture<?> future) {
        switch (random.nextInt(8)) {
            case 0 -> future.cancel(true);
            case 1 -> {
                var _ = future.orTimeout(random.nextInt(5_000), TimeUnit.MICROSECONDS);
            }
            default -> {}
        }
    }

    /** Waits for the end, and judges it. */
    private void end(CompletableFuture<?> future) {
        try {
            future.handle((result, failure) -> {
                        if (failure != null) {
                            faults.judge(failure);
                        }
                        return true;
                    })
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            faults.add("a future has not completed: " + e);
        }
    }

    /**
     * A block in memory of the application, which is freed at once when its future completes. Closing waits for that.
     */
    private final class FreedBlock implements AutoCloseable {
        private final Arena memory = Arena.ofShared();
        private final NewBlock block;
        private CompletableFuture<?> freed = CompletableFuture.completedFuture(true);

        FreedBlock() {
            int index = random.nextInt(chain.size());
            int size = SdkBlocks.PARTITION.blockTokens();
            ByteBuffer buffer = memory.allocate(bytes(index)).asByteBuffer();
            buffer.put(SdkBlocks.payload(index, bytes(index))).flip();
            block = NewBlock.of(chain, index, Tokens.slice(SdkBlocks.tokens(chain.size()), index * size, size), buffer);
        }

        void freeAfter(CompletableFuture<?> future) {
            freed = future.handle((result, failure) -> {
                memory.close();
                if (failure != null) {
                    faults.judge(failure);
                }
                return true;
            });
        }

        @Override
        public void close() {
            end(freed);
        }
    }
}
