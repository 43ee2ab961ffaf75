package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.QosClass;

/**
 * A user, for a whole run.
 *
 * @param number from 0
 * @param contextTokens the longest prompt
 * @param generationTokens the longest answer
 * @param thinkSeconds between two requests, give or take a fifth
 */
public record User(int number, long contextTokens, long generationTokens, double thinkSeconds, QosClass qos) {
    /** As the original names it. */
    public String name() {
        return "user_%04d".formatted(number);
    }
}
