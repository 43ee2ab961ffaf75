package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.LaunchException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Keeps one data plane running: starts it, and restarts it when it dies. One thread runs it, and ends when it is
 * interrupted.
 */
final class NodeKeeper implements Callable<Integer> {
    /** The exit code of a process whose flags, settings or accounts are wrong: a restart would end in the same way. */
    static final int MISCONFIGURED = 2;

    // Ctrl-C reaches the data planes, too; within this time it has reached this process as well.
    static final Duration SETTLE = Duration.ofMillis(300);

    /** A process that was started. */
    interface RunningNode {
        long pid();

        /** Waits until the process takes work. False if it died before. */
        boolean awaitServing() throws InterruptedException;

        /** Waits until the process is dead. Returns its exit code. */
        int awaitEnd() throws InterruptedException;

        /** Stops the process in order, or by force after 25 s, and waits for its end. */
        void stop();
    }

    /** Receives events in the keeper's thread. */
    interface NodeListener {
        void serves(long pid);

        /** @param how the way in which it ended, such as {@code ended with exit code 137} */
        void died(String how, Duration pause);
    }

    /** A way to wait. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(Duration pause) throws InterruptedException;
    }

    private final Supplier<RunningNode> starter;
    private final BackOff backOff;
    private final Sleeper sleeper;
    private final NodeListener listener;

    /**
     * @param starter may throw {@link LaunchException}, which counts as a death
     */
    NodeKeeper(Supplier<RunningNode> starter, BackOff backOff, Sleeper sleeper, NodeListener listener) {
        this.starter = starter;
        this.backOff = backOff;
        this.sleeper = sleeper;
        this.listener = listener;
    }

    /** Returns {@link #MISCONFIGURED} once the process ends with that code; stops the process when interrupted. */
    @Override
    public Integer call() throws InterruptedException {
        while (true) {
            String how;
            try {
                int code = run(starter.get());
                if (code == MISCONFIGURED) {
                    return code;
                }
                how = "ended with exit code " + code;
            } catch (LaunchException e) {
                how = Objects.requireNonNullElse(e.getMessage(), e.toString());
            }
            sleeper.sleep(SETTLE);
            Duration pause = backOff.died();
            listener.died(how, pause);
            sleeper.sleep(pause);
        }
    }

    private int run(RunningNode process) throws InterruptedException {
        try {
            if (process.awaitServing()) {
                backOff.serving();
                listener.serves(process.pid());
            }
            return process.awaitEnd();
        } finally {
            process.stop();
        }
    }
}
