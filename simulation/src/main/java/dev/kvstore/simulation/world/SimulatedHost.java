package dev.kvstore.simulation.world;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A machine with one process: its threads, its clock, its randomness. Whatever thread a thread of it starts is its own.
 * For the thread of its world.
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

    /** @param name differs from the names of the world's other hosts */
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

    /** The JDK gives virtual threads a scheduler by this constructor, for its own tests. */
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

    /** Its randomness. */
    public SplittableRandom random() {
        return random;
    }

    /** Starts a thread. */
    @Override
    public void execute(Runnable task) {
        var _ = start(task);
    }

    /** Starts a thread. */
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

    /** How many of its threads have begun and not ended. */
    public int threads() {
        return running;
    }

    void unclean(int more) {
        unclean += more;
    }

    /** How many of the things that are to be given back were not. */
    public int unclean() {
        return unclean;
    }

    /** A thread that has not started. */
    public Thread unstarted(Runnable task) {
        return threads.unstarted(watched(task));
    }

    /** Gives it disks; without, it has none. */
    public void disks(SimulatedDisks own) {
        disks = own;
    }

    /**
     * Its disks.
     *
     * @throws IllegalStateException if it has none
     */
    SimulatedDisks disks() {
        SimulatedDisks own = disks;
        if (own == null) {
            throw new IllegalStateException(name + " has no disks");
        }
        return own;
    }

    /** Has its clock go faster or slower than the world's from now on. */
    public void drift(double next) {
        ownAtChange = nanos();
        worldAtChange = world.nanos();
        rate = next;
    }

    /** Nanoseconds that have passed on its clock since its world began, without its steps. */
    long nanos() {
        return ownAtChange + (long) ((world.nanos() - worldAtChange) * rate);
    }

    /** Has it do something once so many nanoseconds have passed on its clock. */
    public Alarm alarm(long ownNanos, Runnable ring) {
        return world.alarm(this, rate == 1 ? ownNanos : (long) (ownNanos / rate) + 1, ring);
    }

    /** The steps of its clock, in nanoseconds. */
    public long clockSkewNanos() {
        return clockSkewNanos;
    }

    /** Has its clock step. */
    public void stepClock(long byNanos) {
        clockSkewNanos += byNanos;
    }

    /** Ends it between two steps of its threads, for good. */
    public void kill() {
        isDead = true;
        held.clear();
    }

    public boolean isDead() {
        return isDead;
    }

    /** Has none of its threads go on until it is thawed, as a debugger or a virtual machine that is moved. */
    public void freeze() {
        isFrozen = true;
    }

    /** Has its threads go on. Their alarms that were due ring now. */
    public void thaw() {
        isFrozen = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(run -> world.ready(this, run));
    }

    /** Whether something of it does not run now: never, or later. */
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
