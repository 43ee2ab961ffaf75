package dev.kvstore.simulation.history;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What control planes promise of the fleet. All times are nanoseconds of the world.
 *
 * <ul>
 *   <li>A data plane that has ended is told to nobody once its lease is over.
 *   <li>A data plane that runs, and could renew its lease for a minute, is told to all others.
 * </ul>
 *
 * Neither while control planes, their database, or the ways between them have faults, nor soon after that: leases are
 * prolonged by the time in which nobody could renew them.
 */
final class FleetPromises {
    /** A lease of 15 s, renewed at the last moment; a database clock that steps by less than 5 s; a round; its ways. */
    static final long GONE = Duration.ofSeconds(25).toNanos();

    static final long KNOWN = Duration.ofSeconds(60).toNanos();

    private final Promises promises;
    private final Map<String, Long> ended = new HashMap<>();
    private final Map<Integer, RunningInstance> running = new HashMap<>();
    private final Map<Integer, Long> silent = new HashMap<>();
    private long troubled = Long.MIN_VALUE / 2;

    private record RunningInstance(String name, long since) {}

    FleetPromises(Promises promises) {
        this.promises = promises;
    }

    /** Control planes have a fault until then. */
    void troubled(long until) {
        troubled = Math.max(troubled, until);
    }

    /** Whether what control planes say may be old. */
    boolean isTroubled(long now) {
        return troubled + GONE > now;
    }

    /** A data plane may renew no lease until then. */
    void silent(int plane, long until) {
        silent.merge(plane, until, Math::max);
    }

    /** @param instance of the process that a data plane has now; empty for none */
    void runs(int plane, String instance, long now) {
        RunningInstance before = running.get(plane);
        if (before != null && !before.name.equals(instance)) {
            ended.put(before.name, now);
            running.remove(plane);
        }
        if (!instance.isEmpty() && !running.containsKey(plane)) {
            running.put(plane, new RunningInstance(instance, now));
        }
    }

    /** @param instances that a control plane tells others of now */
    void told(String controlPlane, List<String> instances, long now) {
        for (String instance : instances) {
            long end = ended.getOrDefault(instance, now);
            if (end + GONE < now && !isTroubled(now)) {
                promises.unanswered(controlPlane + " still tells of " + instance + ", which ended "
                        + Duration.ofNanos(now - end).toMillis() + " ms ago");
            }
        }
        running.forEach((plane, instance) -> {
            long since = Math.max(instance.since, Math.max(troubled, silent.getOrDefault(plane, 0L)));
            if (since + KNOWN < now && !instances.contains(instance.name)) {
                promises.unanswered(
                        controlPlane + " does not tell of plane " + plane + ", which could renew its lease");
            }
        });
    }
}
