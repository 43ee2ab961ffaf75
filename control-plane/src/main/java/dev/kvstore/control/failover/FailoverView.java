package dev.kvstore.control.failover;

import java.util.List;

/**
 * The effects of a failover of an account.
 *
 * @param from the region that is home, or was
 * @param to the region that is to be home, or is
 * @param done whether it has been done
 * @param ready whether the replica there was found good
 * @param clusters there that have a process that is well
 * @param hot blocks of whose use at home is known
 * @param cold the hot blocks that are not known to be in the other region
 * @param coldUses share of the uses at home, counted as of late, that fell on them: 0 to 1; 0 if nothing is known
 * @param warmings that are not over, from there to here
 */
public record FailoverView(
        String resourceName,
        String from,
        String to,
        boolean done,
        boolean ready,
        int clusters,
        Blocks hot,
        Blocks cold,
        double coldUses,
        List<String> warmings) {
    /**
     * Blocks.
     *
     * @param bytes of their buffers
     */
    public record Blocks(long blocks, long bytes) {}

    public FailoverView {
        warmings = List.copyOf(warmings);
    }

    FailoverView carriedOut() {
        return new FailoverView(resourceName, from, to, true, ready, clusters, hot, cold, coldUses, warmings);
    }
}
