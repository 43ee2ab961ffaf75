package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.LaunchException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Restarts processes of a stack that die, until it is closed. A virtual thread watches each process. */
public final class Supervisor implements AutoCloseable {
    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Consumer<String> report;
    private final List<Thread> watchers;

    private Supervisor(List<? extends StackProcess> parts, Consumer<String> report) {
        this.report = report;
        this.watchers = parts.stream()
                .map(process ->
                        Thread.ofVirtual().name("watch " + process.name()).unstarted(() -> watch(process)))
                .toList();
    }

    /**
     * Begins to watch.
     *
     * @param report takes a line about each death and each return; called from several threads
     */
    public static Supervisor of(LocalStack stack, Consumer<String> report) {
        Supervisor supervisor = new Supervisor(stack.processes(), report);
        supervisor.watchers.forEach(Thread::start);
        return supervisor;
    }

    private void watch(StackProcess process) {
        try {
            Duration pause = FIRST_PAUSE;
            while (true) {
                int code = process.process().onExit().get();
                // The pause comes first: at Ctrl-C the processes end, too, and that is not worth a message.
                Thread.sleep(pause);
                report.accept(process.name() + " ended with exit code " + code + " (log: "
                        + process.process().log() + "); starting it again");
                pause = startAgain(process) ? FIRST_PAUSE : next(pause);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            report.accept(process.name() + " is no longer watched: " + e.getMessage());
        }
    }

    private boolean startAgain(StackProcess process) throws InterruptedException {
        try {
            Duration took = process.startAgain();
            report.accept(process.name() + " is ready again after " + took.toMillis() + " ms");
            return true;
        } catch (LaunchException e) {
            report.accept(e.getMessage());
            process.kill();
            return false;
        } catch (RuntimeException | Error e) {
            report.accept(process.name() + " could not be started: " + e);
            process.kill();
            return false;
        }
    }

    /** The next pause: twice as long, 30 s at most. */
    static Duration next(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }

    /**
     * Ends the watch, and returns when no process is being started any more. Must be called before the stack is closed.
     */
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
