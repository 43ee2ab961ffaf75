package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Memory off the heap. */
class MemoryTierTest extends TierContract {
    @Override
    Tier open(Content content) {
        return new MemoryTier(content);
    }

    @Test
    void theMemoryOfADeletedEntryIsUsedAgain() {
        try (MemoryTier tier = new MemoryTier(new Content(1))) {
            Scratch memory = new Scratch();
            for (int i = 0; i < 20; i++) {
                Blob blob = new Blob(i, i, 3 << 20);
                tier.write(blob, memory, _ -> {});
                tier.delete(blob);
            }

            assertThat(tier.allocatedBytes()).isEqualTo(3 << 20);
        }
    }
}
