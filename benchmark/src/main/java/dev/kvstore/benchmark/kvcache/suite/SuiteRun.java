package dev.kvstore.benchmark.kvcache.suite;

import java.util.List;

/**
 * A run of a suite.
 *
 * @param name of it, which all its trials have
 * @param trial from 1
 * @param flags the flags that the suite sets
 * @param tiers from the fastest
 * @param config text of its config file; empty for none
 * @param file of its results, below the folder of the suite's
 */
public record SuiteRun(String name, int trial, List<String> flags, List<String> tiers, String config, String file) {
    public SuiteRun {
        flags = List.copyOf(flags);
        tiers = List.copyOf(tiers);
    }
}
