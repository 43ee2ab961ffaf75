package dev.kvstore.benchmark.kvcache.tier;

/** Something that has to be done to entries before another one can be written; the policy counts it as done already. */
public sealed interface PolicyStep {
    String key();

    long bytes();

    /** An entry goes down a tier. */
    record Demote(String key, long bytes, int from, int to) implements PolicyStep {}

    /** An entry of the last tier goes for good. */
    record Delete(String key, long bytes, int from) implements PolicyStep {}
}
