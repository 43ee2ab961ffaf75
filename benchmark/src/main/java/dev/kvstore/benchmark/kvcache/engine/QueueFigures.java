package dev.kvstore.benchmark.kvcache.engine;

/**
 * The queue of a run, from its first request to its end.
 *
 * @param longest requests
 * @param meanLength requests
 * @param meanWaitSeconds of all that came, those still waiting at the end too
 * @param oldestSeconds how long the request waited that waited longest at the end; 0 if none did
 * @param littlesLaw rate times wait over length: 1 if every request was counted
 */
public record QueueFigures(
        int longest, double meanLength, double meanWaitSeconds, double oldestSeconds, double littlesLaw) {}
