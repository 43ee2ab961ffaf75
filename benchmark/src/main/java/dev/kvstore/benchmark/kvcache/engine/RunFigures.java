package dev.kvstore.benchmark.kvcache.engine;

import org.jspecify.annotations.Nullable;

/**
 * The counts of a run.
 *
 * @param ledger of the window; as the original counts, of all of the run
 * @param accounts of requests of the window
 * @param seconds that the window took
 * @param streamHash of the requests that arrived, from the first to {@code requests}
 * @param requests how many arrived, before and in the window
 * @param cpuSeconds that this process used in the window
 * @param interrupted whether it was asked to stop before its end
 * @param scaling of its users; null if they stayed
 */
public record RunFigures(
        Ledger ledger,
        RequestLedger accounts,
        QueueFigures queue,
        double seconds,
        String streamHash,
        long requests,
        double cpuSeconds,
        boolean interrupted,
        Scaling.@Nullable Figures scaling) {
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
}
