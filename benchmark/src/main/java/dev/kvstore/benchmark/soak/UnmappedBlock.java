package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.NewBlock;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** A block to write, in memory that is unmapped by {@link #close}: code that reads it afterwards is caught. */
record UnmappedBlock(NewBlock block, Arena memory) implements AutoCloseable {
    static UnmappedBlock of(Prompt prompt, int index) {
        Arena memory = Arena.ofShared();
        ByteBuffer buffer =
                memory.allocate(StoredPrompt.bytes(prompt.chain().hash(index))).asByteBuffer();
        Payload.fill(prompt.chain().hash(index), buffer);
        return new UnmappedBlock(NewBlock.of(prompt.chain(), index, prompt.block(index), buffer), memory);
    }

    @Override
    public void close() {
        memory.close();
    }
}
