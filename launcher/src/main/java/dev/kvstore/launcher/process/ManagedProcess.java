package dev.kvstore.launcher.process;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.UserEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that this one started, its output in a log file. Thread-safe.
 *
 * <p>Closing stops the process. Its standard input is a pipe that ends when this process does, even by SIGKILL: a
 * program that reads this input to the end, and then ends itself, does not outlive its owner.
 */
public final class ManagedProcess implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(25);
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final String name;
    private final Path log;
    private final Process process;
    private final long startedNanos = System.nanoTime();

    private ManagedProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a process. Its standard input gets no data and stays open as long as this process lives.
     *
     * @param name its name in messages
     * @param environment added to this process's own; an empty value removes the variable
     * @param log the file to which both outputs are appended; its folder is made
     * @throws LaunchException if the program cannot be run
     */
    public static ManagedProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        UserEnvironment.replaceOldNames(builder);
        builder.environment().putAll(environment);
        builder.environment().values().removeIf(String::isEmpty);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            return new ManagedProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new LaunchException(name + " could not be started: " + e.getMessage(), e);
        }
    }

    /**
     * Waits until the process works.
     *
     * @return the time since the start
     * @throws LaunchException if the process dies or stays unready for longer than {@code limit}; the message ends with
     *     its log
     */
    public Duration awaitReady(Readiness readiness, Duration limit) throws InterruptedException {
        while (!readiness.isReady()) {
            if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new LaunchException(name + " ended with exit code " + process.exitValue() + logTail());
            }
            if (age().compareTo(limit) > 0) {
                throw new LaunchException(name + " was not ready within " + limit.toSeconds() + " s" + logTail());
            }
        }
        return age();
    }

    /** Waits a moment, and returns whether the process has ended by then. */
    public boolean endsWithin(Duration moment) throws InterruptedException {
        return process.waitFor(moment.toMillis(), TimeUnit.MILLISECONDS);
    }

    public long pid() {
        return process.pid();
    }

    public Path log() {
        return log;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** A future that completes with the exit code once the process has ended. */
    public CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** The present memory and CPU time of the process, if the system reports them. */
    public Usage usage() {
        return Usage.of(process.pid());
    }

    /** Kills the process like a power cut would (SIGKILL), and waits for its end. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /**
     * Freezes the process (SIGSTOP), like a machine that hangs: its connections stay, and it answers nothing.
     *
     * @throws LaunchException if this system has no such signal
     */
    public void freeze() throws InterruptedException {
        signal("-STOP");
    }

    /** Resumes the process (SIGCONT). */
    public void thaw() throws InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws InterruptedException {
        List<String> command = List.of("kill", signal, Long.toString(process.pid()));
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                throw new LaunchException(String.join(" ", command) + " ended with exit code " + code);
            }
        } catch (IOException e) {
            throw new LaunchException(String.join(" ", command) + " cannot be run: " + e.getMessage(), e);
        }
    }

    /** Asks the process to end (SIGTERM), kills it after 10 s, and waits for its end. */
    public void stop() {
        stop(GRACE);
    }

    /** Stops a process that may need longer. */
    public void stop(Duration grace) {
        process.destroy();
        process.onExit()
                .copy()
                .completeOnTimeout(process, grace.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        kill();
    }

    @Override
    public void close() {
        stop();
    }

    private Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    private String logTail() {
        return LogTail.of(log);
    }
}
