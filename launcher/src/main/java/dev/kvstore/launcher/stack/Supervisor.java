package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.LaunchException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Starts data planes again that die, until it is closed. A virtual thread for each. */
public final class Supervisor implements AutoCloseable {
    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Consumer<String> report;
    private final List<Thread> watchers;

    private Supervisor(List<DataPlane> dataPlanes, Consumer<String> report) {
        this.report = report;
        this.watchers = dataPlanes.stream()
                .map(dataPlane ->
                        Thread.ofVirtual().name("watch " + dataPlane.name()).unstarted(() -> watch(dataPlane)))
                .toList();
    }

    /**
     * Watches from now on.
     *
     * @param report takes a line about each death and each return; called from several threads
     */
    public static Supervisor of(LocalStack stack, Consumer<String> report) {
        Supervisor supervisor = new Supervisor(stack.dataPlanes(), report);
        supervisor.watchers.forEach(Thread::start);
        return supervisor;
    }

    private void watch(DataPlane dataPlane) {
        try {
            Duration pause = FIRST_PAUSE;
            while (true) {
                int code = dataPlane.process().onExit().get();
                // First the pause: at Ctrl-C the data planes end too, and nobody wants to read of that.
                Thread.sleep(pause);
                report.accept(dataPlane.name() + " ended with exit code " + code + " (log: "
                        + dataPlane.process().log() + "); starting it again");
                pause = startAgain(dataPlane) ? FIRST_PAUSE : next(pause);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            report.accept(dataPlane.name() + " is no longer watched: " + e.getMessage());
        }
    }

    private boolean startAgain(DataPlane dataPlane) throws InterruptedException {
        try {
            Duration took = dataPlane.startAgain();
            report.accept(dataPlane.name() + " is ready again after " + took.toMillis() + " ms");
            return true;
        } catch (LaunchException e) {
            report.accept(e.getMessage());
            dataPlane.kill();
            return false;
        }
    }

    /** Twice as long, 30 s at most. */
    static Duration next(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }

    /** Ends the watch, and returns when nothing is started any more. To be called before the stack is closed. */
    @Override
    public void close() {
        watchers.forEach(Thread::interrupt);
        watchers.forEach(Supervisor::join);
    }

    private static void join(Thread watcher) {
        try {
            watcher.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
