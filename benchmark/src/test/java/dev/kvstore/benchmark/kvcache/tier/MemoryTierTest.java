package dev.kvstore.benchmark.kvcache.tier;

/** Memory off the heap. */
class MemoryTierTest extends TierContract {
    @Override
    Tier open(Content content) {
        return new MemoryTier(content);
    }
}
