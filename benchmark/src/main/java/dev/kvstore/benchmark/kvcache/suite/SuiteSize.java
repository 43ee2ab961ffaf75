package dev.kvstore.benchmark.kvcache.suite;

/**
 * How large the runs of a suite are.
 *
 * @param quick a few seconds and users each, to see that all of it works; no result
 * @param memoryGib the free memory of this machine
 * @param trials of each run
 */
public record SuiteSize(boolean quick, double memoryGib, int trials) {}
