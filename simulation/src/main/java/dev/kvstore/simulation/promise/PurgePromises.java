package dev.kvstore.simulation.promise;

import dev.kvstore.simulation.plan.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The promises of a purge. All times are nanoseconds of the world.
 *
 * <p>Once a purge is done, no data plane that is in a route serves or finds a block of the purge, except with bytes
 * that were stored after the purge began. Data planes that are cut off are in no route. Control planes that have read
 * the fleet just now say whether a data plane is in a route.
 */
public final class PurgePromises {
    private final Map<String, BegunPurge> open = new LinkedHashMap<>();
    private final Map<String, BegunPurge> done = new LinkedHashMap<>();
    private final List<EndedPurge> ended = new ArrayList<>();
    private final List<RoutedSuspicion> suspicions = new ArrayList<>();
    private final long[] routed = new long[Plan.PLANES];

    private record BegunPurge(Set<String> blocks, long at) {}

    private record RoutedSuspicion(int plane, long asked, String what) {}

    private record EndedPurge(BegunPurge purge, long at) {}

    PurgePromises() {
        Arrays.fill(routed, Long.MAX_VALUE);
    }

    /** An admin asks for a purge. */
    public void begins(String id, Set<String> blocks, long now) {
        open.put(id, new BegunPurge(blocks, now));
    }

    /** The database has a purge, which covers blocks that were stored until now. */
    public void isThere(String id, long now) {
        open.computeIfPresent(id, (_, purge) -> new BegunPurge(purge.blocks, now));
    }

    public boolean isAnyOpen() {
        return !open.isEmpty();
    }

    /** The database says that a purge is done. Returns whether that is new. */
    public boolean ends(String id, long now) {
        BegunPurge purge = open.remove(id);
        if (purge == null) {
            return false;
        }
        done.put(id, purge);
        ended.add(new EndedPurge(purge, now));
        return true;
    }

    Set<String> blocks(String id) {
        return of(id).blocks;
    }

    long begin(String id) {
        return of(id).at;
    }

    private BegunPurge of(String id) {
        return Objects.requireNonNull(done.get(id));
    }

    /** Notes whether the process of a data plane is in routes now. */
    public void routed(int plane, boolean isRouted, long now) {
        routed[plane] = isRouted ? Math.min(routed[plane], now) : Long.MAX_VALUE;
        suspicions.removeIf(one -> one.plane == plane && !isRouted);
    }

    /**
     * A data plane gave an answer that it must not give if it is in routes. The next readings of control planes tell
     * whether it is, because their last readings may be a second old.
     */
    void suspect(int plane, long asked, String what) {
        suspicions.add(new RoutedSuspicion(plane, asked, what));
    }

    /**
     * Removes and returns the wrong answers of data planes that have been in routes since the question, and for so
     * long.
     */
    public List<String> broken(long now, long since) {
        List<String> broken = suspicions.stream()
                .filter(one -> one.asked + since < now)
                .map(RoutedSuspicion::what)
                .toList();
        suspicions.removeIf(one -> one.asked + since < now);
        return broken;
    }

    /** The time until which stored bytes are purged for a call at a data plane; {@code Long.MIN_VALUE} if none are. */
    long before(String block, int plane, long asked) {
        return plane >= 0 && routed[plane] <= asked
                ? ended.stream()
                        .filter(each -> each.at <= asked && each.purge.blocks.contains(block))
                        .mapToLong(each -> each.purge.at)
                        .max()
                        .orElse(Long.MIN_VALUE)
                : Long.MIN_VALUE;
    }
}
