package dev.kvstore.control.warming.admin;

import dev.kvstore.control.warming.Jobs;
import dev.kvstore.control.warming.Preheat;
import dev.kvstore.control.warming.Selection;
import dev.kvstore.control.warming.Warming;
import dev.kvstore.control.warming.WarmingState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A warming, as callers see it.
 *
 * @param flaw the flaw, or a remark; null if there is none
 * @param everySeconds the seconds between two rounds; null for one round alone
 * @param blocks the number of blocks in all rounds; while the warming is planned, those known so far
 * @param bytes of those blocks, as far as their lengths were known when it was planned
 * @param rate bytes that are copied per second now
 * @param waiting the reason why a process that works on it waits; null if none waits
 * @param eta seconds that the rest will take at that rate; null if they cannot be estimated
 * @param caughtUpAt for a standing warming, when the last finished round was planned: the blocks whose use was known
 *     then are copied, except blocks that failed; null if no round has finished
 * @param nextAt when the next round begins, while the warming waits for it
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
        @Nullable Long everySeconds,
        WarmingState state,
        @Nullable String flaw,
        Progress blocks,
        Progress bytes,
        long rate,
        @Nullable String waiting,
        @Nullable Long eta,
        @Nullable Instant caughtUpAt,
        @Nullable Instant nextAt,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt) {
    /**
     * The progress of a warming.
     *
     * @param copied blocks that were copied
     * @param present blocks that were there already
     * @param failed blocks that could not be copied
     */
    public record Progress(long all, long copied, long present, long failed, long left) {}

    static WarmingView of(Warming job, Selection selection, Jobs.WarmingPace pace) {
        Warming.WarmingTally tally = job.tally();
        Duration every = job.every();
        Warming.WarmingCount left = tally.left();
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
                every == null ? null : (Long) every.toSeconds(),
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
                job.caughtUpAt(),
                job.state() == WarmingState.WAITING ? job.planAfter() : null,
                job.createdAt(),
                job.startedAt(),
                job.endedAt());
    }
}
