package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The latencies that a class of requests was promised.
 *
 * @param p95Millis a request that takes longer from end to end violates it
 * @param p99Millis milliseconds that 99 % of the requests may take; the next two for 99.9 % and 99.99 %
 * @param priority requests of a higher one are served first
 */
public record QosTarget(
        @JsonProperty("target_latency_p95_ms") double p95Millis,
        @JsonProperty("target_latency_p99_ms") double p99Millis,
        @JsonProperty("target_latency_p999_ms") double p999Millis,
        @JsonProperty("target_latency_p9999_ms") double p9999Millis,
        int priority) {
    /** The share of all requests that keep the target of a class that meets it. */
    public static final double MET = 0.95;
}
