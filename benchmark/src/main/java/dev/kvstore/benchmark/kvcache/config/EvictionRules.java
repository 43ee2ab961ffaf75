package dev.kvstore.benchmark.kvcache.config;

/**
 * The numbers of the waterfall.
 *
 * @param maxRecursionDepth how many tiers below one may have to make room for it
 * @param targetUsageRatio of its limit, so much of a tier is filled; the last one is filled whole
 * @param largeEntryLimitRatio an entry larger than so much of a tier's limit goes to the tier below
 * @param maxEvictionsHardCap at most so many entries leave a tier for one that comes
 * @param maxEvictionsMin entries that may be evicted in any case
 */
public record EvictionRules(
        int maxRecursionDepth,
        double targetUsageRatio,
        double largeEntryLimitRatio,
        int maxEvictionsHardCap,
        int maxEvictionsMin) {}
