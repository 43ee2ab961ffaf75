package dev.kvstore.simulation.world;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A machine with one process: its threads, its clock, its randomness. Each thread that one of its threads starts is a
 * thread of the same machine. For the thread of its world.
 */
public final class SimulatedHost implements Executor {
    private static final Constructor<?> VIRTUAL_THREADS = virtualThreads();

    private final World world;
    private final String name;
    private final SplittableRandom random;
    private final Thread.Builder.OfVirtual threads;
    private final List<Runnable> held = new ArrayList<>();
    private @Nullable SimulatedDisks disks;
    private boolean isDead;
    private boolean isFrozen;
    private long clockSkewNanos;
    private double rate = 1;
    private long ownAtChange;
    private long worldAtChange;
    private int running;
    private int unclean;

    /** @param name a name that differs from the names of the world's other hosts */
    public SimulatedHost(World world, String name) {
        this.world = world;
        this.name = name;
        this.random = world.random("host " + name + world.nextHost());
        try {
            this.threads =
                    (Thread.Builder.OfVirtual) VIRTUAL_THREADS.newInstance((Executor) run -> world.ready(this, run));
        } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The constructor by which the JDK's own tests give virtual threads a scheduler. */
    private static Constructor<?> virtualThreads() {
        try {
            Constructor<?> made = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            made.setAccessible(true);
            return made;
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("start Java with --add-opens java.base/java.lang=ALL-UNNAMED", e);
        }
    }

    public String name() {
        return name;
    }

    /** The random numbers of this host. */
    public SplittableRandom random() {
        return random;
    }

    /** Starts a thread of this host. */
    @Override
    public void execute(Runnable task) {
        var _ = start(task);
    }

    /** Starts a thread of this host. */
    public Thread start(Runnable task) {
        return threads.start(watched(task));
    }

    @SuppressWarnings("CatchingUnchecked") // a thread that fails is a fault, whatever it failed of
    private Runnable watched(Runnable task) {
        return () -> {
            running++;
            try {
                task.run();
            } catch (Exception | Error e) {
                world.failed(this, e);
            } finally {
                running--;
            }
        };
    }

    /** The number of this host's threads that have begun and not ended. */
    public int threads() {
        return running;
    }

    void unclean(int more) {
        unclean += more;
    }

    /** The number of objects with a cleaner that were not given back. */
    public int unclean() {
        return unclean;
    }

    /** Makes a thread of this host that has not started. */
    public Thread unstarted(Runnable task) {
        return threads.unstarted(watched(task));
    }

    /** Gives the host disks; before this call it has none. */
    public void disks(SimulatedDisks own) {
        disks = own;
    }

    /**
     * The disks of this host.
     *
     * @throws IllegalStateException if the host has none
     */
    SimulatedDisks disks() {
        SimulatedDisks own = disks;
        if (own == null) {
            throw new IllegalStateException(name + " has no disks");
        }
        return own;
    }

    /**
     * Makes the host's clock go faster or slower than the world's from now on.
     *
     * @param next the clock's nanoseconds for each nanosecond of the world
     */
    public void drift(double next) {
        ownAtChange = nanos();
        worldAtChange = world.nanos();
        rate = next;
    }

    /** Nanoseconds that have passed on the host's clock since the world began, without the clock's steps. */
    long nanos() {
        return ownAtChange + (long) ((world.nanos() - worldAtChange) * rate);
    }

    /** Runs a task as this host once so many nanoseconds have passed on the host's clock. */
    public Alarm alarm(long ownNanos, Runnable ring) {
        return world.alarm(this, rate == 1 ? ownNanos : (long) (ownNanos / rate) + 1, ring);
    }

    /** The sum of the steps of the host's clock, in nanoseconds. */
    public long clockSkewNanos() {
        return clockSkewNanos;
    }

    /** Makes the host's clock step. */
    public void stepClock(long byNanos) {
        clockSkewNanos += byNanos;
    }

    /** Ends the host between two steps of its threads, for good. */
    public void kill() {
        isDead = true;
        held.clear();
    }

    public boolean isDead() {
        return isDead;
    }

    /** Stops all threads of the host until {@link #thaw}, as a debugger or the move of a virtual machine does. */
    public void freeze() {
        isFrozen = true;
    }

    /** Lets the host's threads go on. Alarms that were due meanwhile ring now. */
    public void thaw() {
        isFrozen = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(run -> world.ready(this, run));
    }

    /**
     * Whether this step of the host must not run now. A dead host never runs it; a frozen host keeps it for
     * {@link #thaw}.
     */
    boolean holdsBack(Runnable run) {
        if (isFrozen && !isDead) {
            held.add(run);
        }
        return isFrozen || isDead;
    }

    @Override
    public String toString() {
        return name;
    }
}
