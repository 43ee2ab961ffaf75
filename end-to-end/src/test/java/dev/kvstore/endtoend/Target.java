package dev.kvstore.endtoend;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.Location;
import java.util.Arrays;
import java.util.List;

/**
 * A block, and under which name it is asked for.
 *
 * @param resource the name of a storage account, whether there is one or not
 * @param block of the prompt, to be looked up or written
 * @param location of the block, to be read; another if somebody made it up
 */
record Target(String resource, Prompt prompt, int block, Location location) {
    private static final int BUFFER_BYTES = 1_000;

    static Target of(String resource, Prompt prompt, int block) {
        return new Target(resource, prompt, block, prompt.chain().location(block));
    }

    Target at(Location other) {
        return new Target(resource, prompt, block, other);
    }

    List<Integer> tokens() {
        return Arrays.stream(prompt.blockTokens(block).toArray()).boxed().toList();
    }

    ByteString parent() {
        return prompt.chain().parent(block).toByteString();
    }

    /** Follows from what the block is; nobody else has it. */
    ByteString buffer() {
        return ByteString.copyFrom(
                Prompt.bytes(BUFFER_BYTES, prompt.chain().hash(block).a()));
    }
}
