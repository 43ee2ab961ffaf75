package dev.kvstore.control.transport;

import org.jspecify.annotations.Nullable;

/**
 * A tenant or cluster whose calls and connections are counted together; all groups have equal shares. Immutable.
 *
 * @param name equal for calls that count together
 */
public record CallerGroup(String name) {
    /** A tenant, whichever of its keys calls. */
    public static CallerGroup tenant(String tenant) {
        return new CallerGroup("tenant " + tenant);
    }

    /**
     * The data planes of a cluster, whichever of its tokens and certificates they show.
     *
     * @param cluster null for those that speak for every cluster
     */
    public static CallerGroup cluster(@Nullable String cluster) {
        return new CallerGroup(cluster == null ? "platform" : "cluster " + cluster);
    }
}
