package dev.kvstore.simulation.promise;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The promises of control planes that have read the fleet just now. All times are nanoseconds of the world.
 *
 * <ul>
 *   <li>A control plane tells nobody of a data plane that has ended once the lease of the data plane is over. Only
 *       {@link LeaseTroubles} prolong a lease.
 *   <li>A control plane tells all others of a data plane that runs and could renew its lease for half a minute.
 * </ul>
 */
public final class FleetPromises {
    /** A lease of 15 s that was renewed at the last moment, and the time from one reading of the fleet to the next. */
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

    /** @param instance the process that a data plane has now; empty for none */
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

    /** @param instances the processes that a control plane has read just now, and tells others of */
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
