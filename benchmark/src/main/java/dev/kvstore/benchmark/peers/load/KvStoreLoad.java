package dev.kvstore.benchmark.peers.load;

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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** KV Store by its Java SDK, one client with the SDK's own options for all callers. */
public final class KvStoreLoad implements PeerLoad {
    /** The account that holds the blocks. */
    public static final String RESOURCE = "peers";

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final WorkingSet set;
    private final KvClient client;
    private final AtomicInteger next = new AtomicInteger();
    private final UnaryWrites writes;

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
        this.writes = new UnaryWrites(client, set.blockBytes());
    }

    @Override
    public void stock() {
        for (int first = 0; first < set.blocks(); first += set.blocksPerPrompt()) {
            List<CompletableFuture<WriteResult>> acknowledgements = new ArrayList<>();
            Prompt prompt = set.prompt(first);
            try (BlockWriter writer = client.writer(WorkingSet.PARTITION)) {
                for (int block = first; block < first + set.blocksPerPrompt(); block++) {
                    if (set.isStored(block)) {
                        ByteBuffer buffer = ByteBuffer.allocate(set.blockBytes());
                        set.fill(block, buffer);
                        int index = set.index(block);
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
            case WRITE -> writes::once;
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
            default -> writes.verify();
        }
    }

    @Override
    public long mostBytes(PeerOperation operation) {
        return operation == PeerOperation.WRITE ? UnaryWrites.MOST_BYTES : Long.MAX_VALUE;
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
            } else if (block.length() != set.blockBytes()) {
                throw new BadBlockException("block " + index + " has " + block.length() + " bytes");
            }
            bytes.add(block.length());
        }
    }

    private static BadBlockException missing(int block) {
        return new BadBlockException("block " + block + " is missing");
    }

    @Override
    public void close() {
        client.close();
    }
}
