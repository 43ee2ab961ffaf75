package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.time.Duration;

/**
 * How a run goes.
 *
 * @param workers that serve requests; with an autoscaler as many as users, and so many at most
 * @param honest whether there is a window, and errors are errors; else all is counted as the original does
 * @param prefixes whether shared prompts are looked for
 * @param warmUp before the window; not counted
 * @param window in which is counted
 * @param drain after the window: at most so long is waited for requests of the window; as the original counts, for
 *     those in work
 * @param maxRequests ends the window when so many of its requests are answered; 0 for none
 * @param secondsPerToken that a worker sleeps for each token of an answer
 * @param maxQueue requests that wait at once
 */
public record RunPlan(
        int workers,
        boolean honest,
        boolean prefixes,
        RequestPart part,
        Duration warmUp,
        Duration window,
        Duration drain,
        long maxRequests,
        double secondsPerToken,
        int maxQueue,
        WorkloadConfig config) {
    /** The part of each request that is served. */
    public enum RequestPart {
        BOTH,
        PREFILL_ONLY,
        DECODE_ONLY
    }
}
