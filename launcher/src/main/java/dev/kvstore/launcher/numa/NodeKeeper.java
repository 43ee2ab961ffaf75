package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.LaunchException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Keeps one data plane running: starts it, and starts it again when it dies. For one thread, which is interrupted to
 * end.
 */
final class NodeKeeper implements Callable<Integer> {
    /** The exit code of a process whose flags, settings or accounts are wrong: it would say the same again. */
    static final int MISCONFIGURED = 2;

    // At Ctrl-C the data planes are told as well; in this time the word has reached this process too.
    static final Duration SETTLE = Duration.ofMillis(300);

    /** A process that was started. */
    interface RunningNode {
        long pid();

        /** Waits until it takes work. False if it died before. */
        boolean awaitServing() throws InterruptedException;

        /** Waits until it is dead. Returns its exit code. */
        int awaitEnd() throws InterruptedException;

        /** Stops it in good order, or by force after 25 s, and waits for its end. */
        void stop();
    }

    /** Hears of events, in the keeper's thread. */
    interface NodeListener {
        void serves(long pid);

        /**
         * @param how it ended, as in {@code ended with exit code 137}
         */
        void died(String how, Duration pause);
    }

    /** Waits. */
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

    /** Returns {@link #MISCONFIGURED} once the process ends with it; stops the process when interrupted. */
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
