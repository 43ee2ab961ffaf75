package dev.kvstore.endtoend;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.wire.WireNames;
import java.util.Arrays;
import java.util.List;

/**
 * A block, and under which name it is asked for.
 *
 * @param resource the name of a storage account, whether there is one or not
 * @param block of the prompt, to be looked up or written
 * @param location of the block, to be read; another if somebody made it up
 */
record BlockTarget(String resource, TestPrompt prompt, int block, Location location) {
    private static final int BUFFER_BYTES = 1_000;

    static BlockTarget of(String resource, TestPrompt prompt, int block) {
        return new BlockTarget(resource, prompt, block, prompt.chain().location(block));
    }

    BlockTarget at(Location other) {
        return new BlockTarget(resource, prompt, block, other);
    }

    List<Integer> tokens() {
        return Arrays.stream(prompt.blockTokens(block).toArray()).boxed().toList();
    }

    ByteString parent() {
        return WireNames.field(prompt.chain().parent(block));
    }

    /** Follows from what the block is; nobody else has it. */
    ByteString buffer() {
        return ByteString.copyFrom(
                TestPrompt.bytes(BUFFER_BYTES, prompt.chain().hash(block).a()));
    }
}
