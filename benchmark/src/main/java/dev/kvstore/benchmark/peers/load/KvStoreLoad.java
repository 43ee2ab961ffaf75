package dev.kvstore.benchmark.peers.load;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * KV Store by its Java SDK, one client with the SDK's own options for all callers. Writes are unary, of new blocks, all
 * with the same bytes.
 */
public final class KvStoreLoad implements PeerLoad {
    /** The account that holds the blocks. */
    public static final String RESOURCE = "peers";

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    // The bytes that one measurement of writes may leave behind before they are cleared away: 2 GiB.
    private static final long MOST_WRITTEN = 2L << 30;

    // The name from which the bytes of writes are generated; any name would do.
    private static final BlockHash SEED = new BlockHash(1, 2, 3, 4);

    private final WorkingSet set;
    private final KvClient client;
    private final AtomicInteger next = new AtomicInteger();
    private final ByteBuffer written;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicReference<@Nullable Location> lastWritten = new AtomicReference<>();

    KvStoreLoad(LoadTarget target) {
        this.set = target.workingSet();
        KvClientBuilder builder = KvClient.builder()
                .endpoints("127.0.0.1:" + target.port())
                .resource(RESOURCE)
                .apiKey(target.key())
                .deadline(DEADLINE);
        if (target.protocol() == LoadTarget.Protocol.KVSTORE_GRPC_JAVA) {
            var _ = builder.transport(TransportOptions.DEFAULT.withStack(TransportOptions.Stack.GRPC_JAVA));
        }
        if (target.trust() != null) {
            var _ = builder.trust(target.trust());
        }
        this.client = builder.build();
        this.written = ByteBuffer.allocateDirect(set.blockBytes());
        Payload.fill(SEED, written);
    }

    @Override
    public void stock() {
        for (Prompt prompt : set.prompts()) {
            int first = set.prompts().indexOf(prompt) * set.blocksPerPrompt();
            List<CompletableFuture<WriteResult>> acknowledgements = new ArrayList<>();
            try (BlockWriter writer = client.writer(WorkingSet.PARTITION)) {
                for (int index = 0; index < set.blocksPerPrompt(); index++) {
                    if (set.isStored(first + index)) {
                        ByteBuffer buffer = ByteBuffer.allocate(set.blockBytes());
                        set.fill(first + index, buffer);
                        acknowledgements.add(
                                writer.write(NewBlock.of(prompt.chain(), index, prompt.block(index), buffer)));
                    }
                }
                writer.finish();
            }
            acknowledgements.forEach(CompletableFuture::join);
        }
    }

    @Override
    public LoadClient caller(PeerOperation operation) {
        return switch (operation) {
            case STREAMING_READ -> bytes -> stream(next(set.prompts().size()), false, bytes);
            case READ -> bytes -> read(next(set.blocks()), false, bytes);
            case WRITE -> this::write;
            default -> throw new IllegalArgumentException("KV Store has no " + operation);
        };
    }

    @Override
    public void verify(PeerOperation operation) {
        LongAdder ignored = new LongAdder();
        switch (operation) {
            case STREAMING_READ -> {
                for (int prompt = 0; prompt < set.prompts().size(); prompt++) {
                    stream(prompt, true, ignored);
                }
            }
            case READ -> {
                for (int block = 0; block < set.blocks(); block++) {
                    read(block, true, ignored);
                }
            }
            default -> verifyWritten();
        }
    }

    @Override
    public long mostBytes(PeerOperation operation) {
        return operation == PeerOperation.WRITE ? MOST_WRITTEN : Long.MAX_VALUE;
    }

    private int next(int bound) {
        return Math.floorMod(next.getAndIncrement(), bound);
    }

    private void stream(int prompt, boolean compare, LongAdder bytes) {
        int first = prompt * set.blocksPerPrompt();
        int arrived = 0;
        try (BlockStream stream = client.read(set.prompts().get(prompt).chain())) {
            for (BlockResult result : stream) {
                switch (result) {
                    case BlockResult.Found found -> take(first + found.index(), found.block(), compare, bytes);
                    case BlockResult.Missing missing -> throw missing(first + missing.index());
                    case BlockResult.Failed failed ->
                        throw new BadBlockException("block " + (first + failed.index()) + " did not come back: "
                                + failed.reason().getMessage());
                }
                arrived++;
            }
        }
        if (arrived != set.blocksPerPrompt()) {
            throw new BadBlockException(
                    "of the " + set.blocksPerPrompt() + " blocks of a prompt " + arrived + " came back");
        }
    }

    private void read(int block, boolean compare, LongAdder bytes) {
        try {
            take(block, client.readBlock(set.prompt(block).chain().location(set.index(block))), compare, bytes);
        } catch (KvStoreException e) {
            throw e.code() == ErrorCode.NOT_FOUND ? missing(block) : e;
        }
    }

    private void take(int index, Block taken, boolean compare, LongAdder bytes) {
        try (Block block = taken) {
            if (compare) {
                set.verify(index, block.buffers());
            } else {
                set.verifyLength(index, block.length());
            }
            bytes.add(block.length());
        }
    }

    private static BadBlockException missing(int block) {
        return new BadBlockException("block " + block + " is missing");
    }

    private void write(LongAdder bytes) {
        Prompt prompt = Prompt.of(WorkingSet.WRITTEN, writes.getAndIncrement(), 1);
        WriteResult result = client.write(WorkingSet.WRITTEN, NewBlock.of(prompt.chain(), 0, prompt.block(0), written));
        if (result.outcome() != WriteResult.Outcome.STORED || result.differs()) {
            throw new BadBlockException("a block that was never written was there already: " + result);
        }
        bytes.add(written.capacity());
        lastWritten.set(result.location());
    }

    private void verifyWritten() {
        Location location = lastWritten.get();
        if (location == null) {
            throw new BadBlockException("no block was written");
        }
        try (Block block = client.readBlock(location)) {
            long different = Payload.firstDifference(SEED, written.capacity(), block.buffers());
            if (different >= 0) {
                throw new BadBlockException("a block that was acknowledged differs at byte " + different);
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
