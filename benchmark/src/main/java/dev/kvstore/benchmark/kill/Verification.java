package dev.kvstore.benchmark.kill;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockHash;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares the stored blocks with the written ones. Each block counts once, however often it is looked at. For one
 * thread.
 */
final class Verification {
    private final Set<BlockHash> lost = new HashSet<>();
    private final Set<BlockHash> torn = new HashSet<>();
    private final Set<BlockHash> damaged = new HashSet<>();
    private long missed;
    private long lookups;
    private long reads;

    /** Whether Lookup counts the acknowledged blocks. */
    void lookUp(KvClient client, Collection<WrittenPrompt> writings) {
        for (WrittenPrompt writing : writings) {
            int expected = writing.acknowledgedPrefix();
            if (expected > 0) {
                lookups++;
                int counted = client.lookup(writing.partition(), writing.chain().prefix(expected))
                        .cachedBlocks();
                missed += expected - counted;
            }
        }
    }

    /** Whether each acknowledged block is there, and each block that is there has the bytes that were written. */
    void read(KvClient client, Collection<WrittenPrompt> writings) {
        for (WrittenPrompt writing : writings) {
            List<Integer> begun = writing.begun();
            try (BlockStream stream =
                    client.read(begun.stream().map(writing::location).toList())) {
                for (BlockResult result : stream) {
                    int index = begun.get(result.index());
                    take(result, writing.chain().hash(index), writing.isAcknowledged(index));
                }
            }
        }
    }

    private void take(BlockResult result, BlockHash hash, boolean acknowledged) {
        switch (result) {
            case BlockResult.Found(Block found) -> {
                try (Block block = found) {
                    reads++;
                    if (Payload.firstDifference(hash, WrittenPrompt.bytes(hash), block.buffers()) >= 0) {
                        torn.add(hash);
                    }
                }
            }
            case BlockResult.Missing _ -> {
                if (acknowledged) {
                    lost.add(hash);
                }
            }
            case BlockResult.Failed failed -> {
                if (failed.reason().code() != ErrorCode.DATA_LOSS) {
                    throw failed.reason();
                }
                (acknowledged ? lost : damaged).add(hash);
            }
        }
    }

    long lost() {
        return lost.size();
    }

    long torn() {
        return torn.size();
    }

    long damaged() {
        return damaged.size();
    }

    long missed() {
        return missed;
    }

    long lookups() {
        return lookups;
    }

    long reads() {
        return reads;
    }
}
