package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.process.Readiness;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A part of a local stack: its address stays the same over restarts of its process. Thread-safe. */
public abstract sealed class StackProcess permits StackDataPlane, StackControlPlane {
    /**
     * The command line, environment and log of each start of a process.
     *
     * @param name its name in messages
     * @param environment added to this process's own; an empty value removes the variable
     */
    record ProcessStart(String name, List<String> command, Map<String, String> environment, Path log) {
        ManagedProcess process() {
            return ManagedProcess.start(name, command, environment, log);
        }
    }

    private final ProcessStart start;
    private final int httpPort;
    private final Duration readyWithin;
    private volatile ManagedProcess process;

    /**
     * Starts a process and does not wait for it.
     *
     * @param httpPort the port that tells whether it is ready
     */
    StackProcess(ProcessStart start, int httpPort, Duration readyWithin) {
        this.start = start;
        this.httpPort = httpPort;
        this.readyWithin = readyWithin;
        this.process = start.process();
    }

    /**
     * Checks that a port is free.
     *
     * @param way out, for the message
     * @throws LaunchException if a server listens there
     */
    static void requireFree(int port, String way) {
        if (!Ports.isFree(port)) {
            throw new LaunchException("port " + port + " of 127.0.0.1 is taken: stop what listens there, or " + way);
        }
    }

    /**
     * Waits until the process takes work.
     *
     * @return the time since its start
     * @throws LaunchException if the process dies or is not ready in time
     */
    public Duration awaitReady() throws InterruptedException {
        return process.awaitReady(Readiness.http(http("/q/health/ready")), readyWithin);
    }

    /** Starts a stopped or dead one again and waits until the process takes work; see {@link #awaitReady}. */
    public Duration startAgain() throws InterruptedException {
        if (process.isAlive()) {
            throw new IllegalStateException(name() + " runs already");
        }
        process = start.process();
        return awaitReady();
    }

    /** Stops the process in order (SIGTERM, after a while SIGKILL) and starts it again. */
    public Duration restart() throws InterruptedException {
        stop();
        return startAgain();
    }

    /** Stops the process in order (SIGTERM, after a while SIGKILL). */
    public void stop() {
        process.stop();
    }

    /** Kills the process (SIGKILL). */
    public void kill() {
        process.kill();
    }

    /** The process that runs now, or ran last. */
    public ManagedProcess process() {
        return process;
    }

    public String name() {
        return start.name();
    }

    final URI http(String path) {
        return URI.create("http://127.0.0.1:" + httpPort + path);
    }
}
