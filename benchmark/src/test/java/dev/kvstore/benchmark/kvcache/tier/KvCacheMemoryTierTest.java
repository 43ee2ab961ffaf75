package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.junit.jupiter.api.Test;

/** Memory off the heap. */
class KvCacheMemoryTierTest extends TierContract {
    @Override
    Tier open(NoiseContent content) {
        return new KvCacheMemoryTier(content);
    }

    @Test
    void theMemoryOfADeletedEntryIsUsedAgain() throws IOException {
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

    /** An entry of gigabytes would keep a run from its end. */
    @Test
    void anAccessEndsWhenItsThreadIsInterrupted() throws IOException {
        try (KvCacheMemoryTier tier = new KvCacheMemoryTier(new NoiseContent(1))) {
            Scratch memory = new Scratch();
            EntryBytes blob = new EntryBytes(1, 1, 3 << 20);
            tier.write(blob, memory, _ -> {});

            Thread.currentThread().interrupt();
            try {
                assertThatThrownBy(() -> tier.read(blob, memory, true, _ -> {}))
                        .isInstanceOf(InterruptedIOException.class);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }
}
