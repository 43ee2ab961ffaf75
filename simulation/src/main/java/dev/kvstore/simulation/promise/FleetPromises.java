package dev.kvstore.simulation.promise;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What control planes promise of the fleet, if they have read it just now. All times are nanoseconds of the world.
 *
 * <ul>
 *   <li>A data plane that has ended is told to nobody once its lease is over. Only {@link LeaseTroubles} prolong a lease.
 *   <li>A data plane that runs, and could renew its lease for half a minute, is told to all others.
 * </ul>
 */
public final class FleetPromises {
    /** A lease of 15 s, renewed at the last moment, and the time from one reading of the fleet to the next. */
    private static final long GONE = Duration.ofSeconds(20).toNanos();

    private static final long KNOWN = Duration.ofSeconds(30).toNanos();

    private final Promises promises;
    private final LeaseTroubles troubles;
    private final Map<String, Long> ended = new HashMap<>();
    private final Map<Integer, RunningInstance> running = new HashMap<>();
    private final Map<Integer, Long> silent = new HashMap<>();

    private record RunningInstance(String name, long since) {}

    public FleetPromises(Promises promises, LeaseTroubles troubles) {
        this.promises = promises;
        this.troubles = troubles;
    }

    /** A data plane may renew no lease until then. */
    public void silent(int plane, long until) {
        silent.merge(plane, until, Math::max);
    }

    /** @param instance of the process that a data plane has now; empty for none */
    public void runs(int plane, String instance, long now) {
        RunningInstance before = running.get(plane);
        if (before != null && !before.name.equals(instance)) {
            ended.put(before.name, now);
            running.remove(plane);
        }
        if (!instance.isEmpty() && !running.containsKey(plane)) {
            running.put(plane, new RunningInstance(instance, now));
        }
    }

    /** @param instances that a control plane tells others of now, and has read just now */
    public void told(String controlPlane, List<String> instances, long now) {
        for (String instance : instances) {
            Long end = ended.get(instance);
            if (end != null && troubles.end(end, GONE) < now) {
                promises.unanswered(controlPlane + " still tells of " + instance + ", which ended "
                        + Duration.ofNanos(now - end).toMillis() + " ms ago");
            }
        }
        running.forEach((plane, instance) -> {
            long since = Math.max(instance.since, Math.max(troubles.end(), silent.getOrDefault(plane, 0L)));
            if (since + KNOWN < now && !instances.contains(instance.name)) {
                promises.unanswered(
                        controlPlane + " does not tell of plane " + plane + ", which could renew its lease");
            }
        });
    }
}
