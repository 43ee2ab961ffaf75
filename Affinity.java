package dev.kvstore.client.internal;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import java.util.List;

/**
 * The key that keeps operations on one prompt at one process when the caller names none. Stateless.
 *
 * <p>It is the name of the prompt's eighth block, or of the last if there are fewer: at 128 tokens a block that is 1024
 * tokens in, behind most system prompts, which everyone shares and which must not pin a fleet to one process, and
 * before the point where the turns of one conversation part. A shorter prefix has another key; whoever wants more names
 * the conversation.
 */
final class Affinity {
    private static final int BLOCK = 7;

    private Affinity() {}

    static long of(BlockChain chain) {
        return chain.size() == 0 ? of(chain.root()) : of(chain.hash(Math.min(chain.size() - 1, BLOCK)));
    }

    static long of(List<Location> locations) {
        return locations.isEmpty()
                ? 0
                : of(locations.get(Math.min(locations.size() - 1, BLOCK)).hash());
    }

    static long of(BlockHash hash) {
        return hash.a();
    }
}
