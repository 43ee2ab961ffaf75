package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Stored prompts: all of the first, and of more a random selection. Thread-safe. */
final class Library {
    /** Some 20 MB of heap. */
    private static final int MOST = 20_000;

    /**
     * A prompt whose writing has ended.
     *
     * @param acknowledged the indices of the blocks that were; of the others nothing is known
     * @param sinceNanos when the last of them was, by {@link System#nanoTime}
     */
    record StoredPrompt(Partition partition, BlockChain chain, Set<Integer> acknowledged, long sinceNanos) {
        // The sizes of 20 blocks; most are small, so that there are many.
        private static final int[] SIZES = {
            512, 512, 512, 512, 512, 512, 512, 512, 4_096, 4_096, 4_096, 4_096, 4_096, 4_096, 65_536, 65_536, 65_536,
            65_536, 65_536, 300_000
        };

        StoredPrompt {
            acknowledged = Set.copyOf(acknowledged);
        }

        static StoredPrompt now(Prompt prompt, Set<Integer> acknowledged) {
            return new StoredPrompt(prompt.partition(), prompt.chain(), acknowledged, System.nanoTime());
        }

        /** Length of a block's buffer in bytes, 512 to 300,000; follows from its name, as its bytes do. */
        static int bytes(BlockHash block) {
            return SIZES[(int) Long.remainderUnsigned(block.a(), SIZES.length)];
        }

        /** The places of the acknowledged blocks. */
        List<Location> locations() {
            return acknowledged.stream().map(chain::location).toList();
        }

        /** How many blocks at the beginning were acknowledged: Lookup must count so many. */
        int prefix() {
            int prefix = 0;
            while (acknowledged.contains(prefix)) {
                prefix++;
            }
            return prefix;
        }
    }

    private final List<StoredPrompt> prompts = new ArrayList<>();

    synchronized void add(StoredPrompt prompt, RandomGenerator random) {
        if (prompts.size() < MOST) {
            prompts.add(prompt);
        } else {
            prompts.set(random.nextInt(MOST), prompt);
        }
    }

    /** Any of them; empty while there is none. */
    synchronized Optional<StoredPrompt> any(RandomGenerator random) {
        return prompts.isEmpty() ? Optional.empty() : Optional.of(prompts.get(random.nextInt(prompts.size())));
    }

    /** All there are now. */
    synchronized List<StoredPrompt> all() {
        return List.copyOf(prompts);
    }
}
