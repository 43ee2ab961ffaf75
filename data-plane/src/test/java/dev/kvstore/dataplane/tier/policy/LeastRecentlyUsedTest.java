package dev.kvstore.dataplane.tier.policy;

final class LeastRecentlyUsedTest extends EvictionPolicyContract {
    @Override
    EvictionPolicy<Integer> policy() {
        return new LeastRecentlyUsed<>();
    }
}
