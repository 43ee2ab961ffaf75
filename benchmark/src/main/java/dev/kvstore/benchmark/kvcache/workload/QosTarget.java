package dev.kvstore.benchmark.kvcache.workload;

/**
 * The latencies that a class of requests was promised.
 *
 * @param p95Millis a request that takes longer from end to end violates it
 * @param p99Millis milliseconds that 99 % of the requests may take; the next two for 99.9 % and 99.99 %
 * @param priority requests of a higher one are served first
 */
public record QosTarget(double p95Millis, double p99Millis, double p999Millis, double p9999Millis, int priority) {
    /** The share of all requests that keep the target of a class that meets it. */
    public static final double MET = 0.95;
}
