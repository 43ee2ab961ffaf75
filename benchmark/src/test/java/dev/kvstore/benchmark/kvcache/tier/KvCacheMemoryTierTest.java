package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Memory off the heap. */
class KvCacheMemoryTierTest extends TierContract {
    @Override
    Tier open(NoiseContent content) {
        return new KvCacheMemoryTier(content);
    }

    @Test
    void theMemoryOfADeletedEntryIsUsedAgain() {
        try (KvCacheMemoryTier tier = new KvCacheMemoryTier(new NoiseContent(1))) {
            Scratch memory = new Scratch();
            for (int i = 0; i < 20; i++) {
                EntryBytes blob = new EntryBytes(i, i, 3 << 20);
                tier.write(blob, memory, _ -> {});
                tier.delete(blob);
            }

            assertThat(tier.allocatedBytes()).isEqualTo(3 << 20);
        }
    }
}
