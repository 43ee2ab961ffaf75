package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Lookups, reads and writes in turn. Thread-safe. */
record HonestClient(KvClient client) implements HonestCalls.HonestCaller {
    static final int CALLS_PER_SECOND = 20;

    private static final int BLOCK_BYTES = 256 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Partition PARTITION = Partition.of("honest", 16);

    static Duration deadline() {
        return DEADLINE;
    }

    @Override
    public void call(int number) {
        switch (number % 3) {
            case 0 -> write(Prompt.of(PARTITION, number, 1));
            case 1 -> {
                Prompt prompt = Prompt.of(PARTITION, 0, 1);
                if (client.lookup(PARTITION, prompt.chain()).cachedBlocks() != 1) {
                    throw new IllegalStateException("the first block is not counted");
                }
            }
            default ->
                client.readBlock(Prompt.of(PARTITION, 0, 1).chain().location(0)).close();
        }
    }

    /** The partition of all its blocks, as a warming selects it. */
    static ObjectNode partition() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("partition", PARTITION.name())
                .put("blockTokens", PARTITION.blockTokens());
    }

    /** Writes the block that is read and looked up later. */
    void prepare() {
        write(Prompt.of(PARTITION, 0, 1));
    }

    private void write(Prompt prompt) {
        ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
        Payload.fill(prompt.chain().hash(0), buffer);
        var _ = client.write(PARTITION, NewBlock.of(prompt.chain(), 0, prompt.block(0), buffer));
    }

    @Override
    public void close() {
        client.close();
    }
}
