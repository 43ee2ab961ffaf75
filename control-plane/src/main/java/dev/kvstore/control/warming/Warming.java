package dev.kvstore.control.warming;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job: blocks of an account that are copied from one region's storage into another's.
 *
 * @param selection the selected blocks, as JSON
 * @param pausedIn the state in which the warming was paused; null if it is not paused
 * @param flaw the flaw, or a remark; null if there is none
 * @param planned whether all chunks exist
 * @param every the time between two rounds; null for one round alone
 * @param caughtUpAt when the last finished round was planned; null if no round has finished
 */
public record Warming(
        String id,
        String resourceName,
        String tenant,
        String source,
        String target,
        String selection,
        Budget budget,
        Preheat preheat,
        WarmingState state,
        @Nullable WarmingState pausedIn,
        @Nullable String flaw,
        boolean planned,
        boolean listing,
        @Nullable Duration every,
        @Nullable Instant plannedAt,
        @Nullable Instant planAfter,
        @Nullable Instant caughtUpAt,
        WarmingTally tally,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        long version) {
    /** The state of the warming, or its state before the pause. */
    WarmingState open() {
        if (state != WarmingState.PAUSED) {
            return state;
        }
        // A version before this one leaves the column empty.
        return pausedIn != null ? pausedIn : planned ? WarmingState.RUNNING : WarmingState.PLANNING;
    }

    /**
     * Reads the selected blocks.
     *
     * @throws IllegalStateException if this version cannot read them
     */
    Selection selected(ObjectMapper json) {
        try {
            return json.readValue(selection, Selection.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the selection of " + id + " cannot be read", e);
        }
    }

    /** The most that a warming may take. */
    public record Budget(long bytesPerSecond, int requestsPerSecond) {
        /** The least bytes per second of a process, so that the hottest blocks are not spread thin. */
        private static final long SHARE_BYTES = 16 << 20;

        /** The least number of claims that share the budget: one of them may have been killed just now. */
        private static final int LEAST_CLAIMS = 2;

        /** The number of processes that may work on the warming at a time. */
        int claims() {
            return (int) Math.max(LEAST_CLAIMS, Math.min(1_000, bytesPerSecond / SHARE_BYTES));
        }

        /** The share of one of {@code claims} claims. */
        Budget share(int claims) {
            int parts = Math.max(1, claims);
            return new Budget(Math.max(1, bytesPerSecond / parts), Math.max(1, requestsPerSecond / parts));
        }
    }

    /** A number of blocks and their bytes. */
    public record WarmingCount(long blocks, long bytes) {}

    /** The outcomes of the warming's blocks so far. */
    public record WarmingTally(WarmingCount all, WarmingCount copied, WarmingCount present, WarmingCount failed) {
        public WarmingCount left() {
            return new WarmingCount(
                    all.blocks - copied.blocks - present.blocks - failed.blocks,
                    all.bytes - copied.bytes - present.bytes - failed.bytes);
        }
    }
}
