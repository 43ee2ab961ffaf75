package dev.kvstore.benchmark.kvcache.workload;

/**
 * What a class of requests was promised.
 *
 * @param p95Millis a request that takes longer from end to end violates it
 * @param priority requests of a higher one are served first
 */
public record QosTarget(double p95Millis, int priority) {
    /** Of all requests, so many keep the target of a class that meets it. */
    public static final double MET = 0.95;
}
