package dev.kvstore.control.warming;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A warming, as callers see it.
 *
 * @param flaw what is wrong, or worth knowing; null if nothing is
 * @param blocks how many; while it is planned, as many as are known
 * @param bytes of those blocks, as far as their lengths were known when it was planned
 * @param rate bytes that are copied per second now
 * @param waiting what a process that is about it waits for; null if none does
 * @param eta seconds that the rest will take at that rate; null if nothing can be said
 */
public record WarmingView(
        String id,
        String resourceName,
        String tenant,
        String from,
        String to,
        Selection select,
        long bytesPerSecond,
        int requestsPerSecond,
        Preheat preheat,
        WarmingState state,
        @Nullable String flaw,
        Progress blocks,
        Progress bytes,
        long rate,
        @Nullable String waiting,
        @Nullable Long eta,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt) {
    /**
     * How far it is.
     *
     * @param copied that were not there, and are now
     * @param present that were there
     * @param failed that could not be copied
     */
    public record Progress(long all, long copied, long present, long failed, long left) {}

    static WarmingView of(Warming job, Selection selection, Jobs.Pace pace) {
        Warming.Tally tally = job.tally();
        Warming.Count left = tally.left();
        boolean running = job.state() == WarmingState.RUNNING;
        return new WarmingView(
                job.id(),
                job.resourceName(),
                job.tenant(),
                job.source(),
                job.target(),
                selection,
                job.budget().bytesPerSecond(),
                job.budget().requestsPerSecond(),
                job.preheat(),
                job.state(),
                job.flaw(),
                new Progress(
                        tally.all().blocks(),
                        tally.copied().blocks(),
                        tally.present().blocks(),
                        tally.failed().blocks(),
                        left.blocks()),
                new Progress(
                        tally.all().bytes(),
                        tally.copied().bytes(),
                        tally.present().bytes(),
                        tally.failed().bytes(),
                        left.bytes()),
                pace.bytesPerSecond(),
                pace.waiting().isEmpty() ? null : pace.waiting(),
                running && pace.bytesPerSecond() > 0 ? (Long) Math.ceilDiv(left.bytes(), pace.bytesPerSecond()) : null,
                job.createdAt(),
                job.startedAt(),
                job.endedAt());
    }
}
