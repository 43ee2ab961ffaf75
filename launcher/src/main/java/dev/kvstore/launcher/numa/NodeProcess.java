package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.UserEnvironment;
import dev.kvstore.launcher.process.Readiness;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A data plane in the foreground, whose outputs are those of this process. Thread-safe. */
final class NodeProcess implements NodeKeeper.RunningNode {
    private static final Duration POLL = Duration.ofMillis(50);

    /** The time for a data plane to move the blocks in memory to its disk; less than the 30 s that Kubernetes gives. */
    private static final Duration GRACE = Duration.ofSeconds(25);

    private final Process process;
    private final List<InetSocketAddress> listeners;

    private NodeProcess(Process process, List<InetSocketAddress> listeners) {
        this.process = process;
        this.listeners = listeners;
    }

    /**
     * Starts a data plane. Its standard input is a pipe that ends with this process, so that a data plane with the
     * right flag ends, too.
     *
     * @param listeners addresses that all take connections once it serves, whatever their protocol
     * @throws LaunchException if the program cannot be run
     */
    static NodeProcess start(List<String> command, List<InetSocketAddress> listeners) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            UserEnvironment.replaceOldNames(builder);
            return new NodeProcess(builder.start(), listeners);
        } catch (IOException e) {
            throw new LaunchException("cannot be started: " + e.getMessage(), e);
        }
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public boolean awaitServing() throws InterruptedException {
        for (InetSocketAddress listener : listeners) {
            while (!Readiness.port(listener).isReady()) {
                if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                    return false;
                }
            }
        }
        return process.isAlive();
    }

    @Override
    public int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void stop() {
        process.destroy();
        process.onExit()
                .copy()
                .completeOnTimeout(process, GRACE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        process.destroyForcibly();
        process.onExit().join();
    }
}
