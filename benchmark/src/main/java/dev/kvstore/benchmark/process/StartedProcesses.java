package dev.kvstore.benchmark.process;

import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Readiness;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes that end when this is closed, in reverse order, each with a log of its own. For one thread. */
public final class StartedProcesses implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    private final Path folder;
    private final Deque<Runnable> ends = new ArrayDeque<>();

    /** @param folder of the logs, which is made */
    public StartedProcesses(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @param name in messages, and of its log
     * @param environment added to this process's own
     */
    public ManagedProcess server(
            String name, List<String> command, Map<String, String> environment, Readiness readiness)
            throws InterruptedException {
        ManagedProcess process = ManagedProcess.start(name, command, environment, log(name));
        atEnd(process::close);
        var _ = process.awaitReady(readiness, READY_WITHIN);
        return process;
    }

    /** Starts a server and waits until somebody listens at its port of loopback. */
    public ManagedProcess listening(String name, List<String> command, int port) throws InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return server(name, command, Map.of(), Readiness.port(address));
    }

    /** The log of a process. */
    public Path log(String name) {
        return folder.resolve(name + ".log");
    }

    /** Adds something that is to be done before whatever was started until now ends. */
    public void atEnd(Runnable end) {
        ends.push(end);
    }

    /** Ends all, whatever comes of each. */
    @Override
    public void close() {
        @Nullable Runnable end = ends.poll();
        if (end != null) {
            try {
                end.run();
            } finally {
                close();
            }
        }
    }
}
