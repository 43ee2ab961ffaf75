package dev.kvstore.simulation.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a purge promises. All times are nanoseconds of the world.
 *
 * <p>Once it is done, no data plane that is in a route serves or finds a block of it, but such bytes as were stored
 * after it began. Data planes that are cut off are in no route.
 */
final class PurgePromises {
    private final Map<String, BegunPurge> open = new LinkedHashMap<>();
    private final Map<String, BegunPurge> done = new LinkedHashMap<>();
    private final List<EndedPurge> ended = new ArrayList<>();
    private final Map<Integer, Boolean> routed = new LinkedHashMap<>();

    private record BegunPurge(Set<String> blocks, long at) {}

    private record EndedPurge(BegunPurge purge, long at) {}

    /** An admin asks for a purge, which may begin. */
    void begins(String id, Set<String> blocks, long now) {
        open.put(id, new BegunPurge(blocks, now));
    }

    boolean isAnyOpen() {
        return !open.isEmpty();
    }

    /** The database says that it is done. Returns whether that is new. */
    boolean ends(String id, long now) {
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

    /** Whether a data plane is in routes. */
    void routed(int plane, boolean isRouted) {
        routed.put(plane, isRouted);
    }

    /** Bytes that were stored until then are purged for a call at a data plane; the least number for none. */
    long before(String block, int plane, long asked) {
        return routed.getOrDefault(plane, false)
                ? ended.stream()
                        .filter(each -> each.at <= asked && each.purge.blocks.contains(block))
                        .mapToLong(each -> each.purge.at)
                        .max()
                        .orElse(Long.MIN_VALUE)
                : Long.MIN_VALUE;
    }
}
