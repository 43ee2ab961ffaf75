package dev.kvstore.simulation.world;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and all threads of all hosts on the one thread that calls {@link #run}. Computing takes no time: when
 * no thread can go on, time jumps to the next alarm. The seed decides which of several threads goes on.
 *
 * <p>For one thread; one world at a time.
 */
public final class World {
    /** The most times that threads go on while no time passes; beyond it some thread must be going in a circle. */
    private static final int MOST_WITHOUT_TIME = 5_000_000;

    private final Thread carrier = Thread.currentThread();
    private static final int MOST_FAILURES = 10;

    private static @Nullable World current;

    private final long seed;
    private final SplittableRandom schedule;
    private final List<String> failures = new ArrayList<>();
    private final SortedMap<String, Long> happened = new TreeMap<>();
    private final List<Task> ready = new ArrayList<>();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(World::order);
    private @Nullable SimulatedHost running;
    private long nanos;
    private long alarmsSet;
    private long hosts;
    private long digest;
    private boolean isStopped;

    /** A thread that can go on. */
    private record Task(SimulatedHost host, Runnable run) {}

    public World(long seed) {
        this.seed = seed;
        this.schedule = random("schedule");
        current = this;
    }

    /** Compares two alarms. The world calls this method more often than any other. */
    private static int order(Alarm one, Alarm other) {
        return one.at() == other.at() ? Long.compare(one.number(), other.number()) : Long.compare(one.at(), other.at());
    }

    /**
     * The world that runs.
     *
     * @throws IllegalStateException if no world runs
     */
    public static World current() {
        World world = current;
        if (world == null) {
            throw new IllegalStateException("no world runs");
        }
        return world;
    }

    /** Random numbers of the seed that nobody else draws from. */
    public SplittableRandom random(String purpose) {
        return random(seed, purpose);
    }

    /** Random numbers of a seed for a purpose. */
    public static SplittableRandom random(long seed, String purpose) {
        return new SplittableRandom(mixed(seed, purpose));
    }

    private static long mixed(long seed, String purpose) {
        long mixed = seed;
        for (int i = 0; i < purpose.length(); i++) {
            mixed = (mixed ^ purpose.charAt(i)) * 0x9e3779b97f4a7c15L;
            mixed ^= mixed >>> 29;
        }
        return mixed;
    }

    /** Nanoseconds since this world began. */
    public long nanos() {
        return nanos;
    }

    /** Nanoseconds on the clock of the host whose thread runs; nanoseconds of the world if no thread runs. */
    long ownNanos() {
        SimulatedHost host = running;
        return host == null ? nanos : host.nanos();
    }

    /**
     * The host whose thread runs.
     *
     * @throws IllegalStateException if no thread runs
     */
    public SimulatedHost host() {
        SimulatedHost host = running;
        if (host == null) {
            throw new IllegalStateException("no host runs");
        }
        return host;
    }

    /** A number for the threads that went on so far, and their times. Equal histories have equal numbers. */
    public long digest() {
        return digest;
    }

    /** A thread ended by an exception that nobody caught. */
    void failed(SimulatedHost host, Throwable failure) {
        if (failures.size() < MOST_FAILURES) {
            String where = Stream.of(failure.getStackTrace())
                    .limit(1)
                    .map(at -> " at " + at)
                    .collect(joining());
            failures.add(host + ": a thread ended by " + failure + where);
        }
    }

    /** The first threads that ended by an exception that nobody caught. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** A fault took effect. */
    public void happened(String fault) {
        happened.merge(fault, 1L, Long::sum);
    }

    /** How often each fault took effect. */
    public SortedMap<String, Long> faults() {
        return happened;
    }

    /** A number that no other host has, so that a process that is started again has other random numbers. */
    long nextHost() {
        return ++hosts;
    }

    void ready(SimulatedHost host, Runnable run) {
        if (current != this) {
            return; // a thread of a world that is over
        }
        Thread caller = Thread.currentThread();
        if (!caller.isVirtual() && caller != carrier) {
            throw new IllegalStateException("a thread of nobody's world wakes one of this world: " + caller);
        }
        ready.add(new Task(host, run));
    }

    /** Runs a task as a host, so many nanoseconds of the world later. */
    public Alarm alarm(SimulatedHost host, long inNanos, Runnable ring) {
        Alarm alarm = new Alarm(host, nanos + Math.max(0, inNanos), ++alarmsSet, ring);
        alarms.add(alarm);
        return alarm;
    }

    /** Ends {@link #run} once the running thread waits. */
    public void stop() {
        isStopped = true;
    }

    /** Runs until {@link #stop}, or until nobody has anything left to do. */
    public void run() {
        int withoutTime = 0;
        while (!isStopped) {
            if (!ready.isEmpty()) {
                if (++withoutTime > MOST_WITHOUT_TIME) {
                    failures.add(ready.getLast().host.name() + ": threads go on and on, and no time passes");
                    return;
                }
                goOn();
            } else {
                Alarm next = alarms.poll();
                if (next == null) {
                    return;
                }
                if (next.at() > nanos) {
                    nanos = next.at();
                    withoutTime = 0;
                }
                ring(next);
            }
        }
    }

    private void goOn() {
        int chosen = ready.size() == 1 ? 0 : schedule.nextInt(ready.size());
        Task last = ready.removeLast();
        Task task = chosen == ready.size() ? last : ready.set(chosen, last);
        if (task.host.holdsBack(task.run)) {
            return;
        }
        digest = (digest ^ nanos ^ task.host.name().hashCode()) * 0x9e3779b97f4a7c15L + ready.size();
        on(task.host, task.run);
    }

    private void ring(Alarm alarm) {
        if (alarm.isCancelled()) {
            return;
        }
        Runnable ring = alarm::ring;
        if (!alarm.host().holdsBack(ring)) {
            on(alarm.host(), ring);
        }
    }

    /** Runs a task as a host, on the calling thread. The task must not wait. */
    public void on(SimulatedHost host, Runnable run) {
        SimulatedHost before = running;
        running = host;
        try {
            run.run();
        } finally {
            running = before;
        }
    }

    /** Ends this world: threads that still wait in it never go on. */
    public void close() {
        isStopped = true;
        ready.clear();
        alarms.clear();
        if (current == this) {
            current = null;
        }
    }
}
