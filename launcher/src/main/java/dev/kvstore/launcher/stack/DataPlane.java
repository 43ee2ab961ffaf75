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

/** One data plane of a local stack: its address stays, its process comes and goes. Thread-safe. */
public final class DataPlane {
    /** A data plane's HTTP port (health, metrics) is its gRPC port plus this. */
    public static final int HTTP_OFFSET = 1_000;

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final int port;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private volatile ManagedProcess process;

    private DataPlane(int port, List<String> command, Map<String, String> environment, Path log) {
        this.port = port;
        this.command = command;
        this.environment = environment;
        this.log = log;
        this.process = launch();
    }

    /**
     * Starts a process and does not wait for it.
     *
     * @throws LaunchException if a port is taken
     */
    static DataPlane start(int port, List<String> command, Map<String, String> environment, Path log) {
        for (int needed : new int[] {port, port + HTTP_OFFSET}) {
            if (!Ports.isFree(needed)) {
                throw new LaunchException("port " + needed + " of 127.0.0.1 is taken: stop what listens there, or give"
                        + " --port another first port (a data plane uses a port and the one " + HTTP_OFFSET
                        + " above)");
            }
        }
        return new DataPlane(port, command, environment, log);
    }

    private ManagedProcess launch() {
        return ManagedProcess.start(name(), command, environment, log);
    }

    /**
     * Waits until the data plane takes work.
     *
     * @return how long that took since its start
     * @throws LaunchException if it dies or is not ready within 60 s
     */
    public Duration awaitReady() throws InterruptedException {
        return process.awaitReady(Readiness.http(http("/q/health/ready")), READY_WITHIN);
    }

    /** Starts a stopped or dead one again and waits until it takes work; see {@link #awaitReady}. */
    public Duration startAgain() throws InterruptedException {
        if (process.isAlive()) {
            throw new IllegalStateException(name() + " runs already");
        }
        process = launch();
        return awaitReady();
    }

    /** Stops it in good order (SIGTERM, after 10 s SIGKILL) and starts it again. */
    public Duration restart() throws InterruptedException {
        process.stop();
        return startAgain();
    }

    public void stop() {
        process.stop();
    }

    /** SIGKILL. */
    public void kill() {
        process.kill();
    }

    /** The process that runs now, or ran last. */
    public ManagedProcess process() {
        return process;
    }

    public String name() {
        return "data-plane-" + port;
    }

    /** Where clients find it: host:port. */
    public String endpoint() {
        return "127.0.0.1:" + port;
    }

    public URI metricsUrl() {
        return http("/q/metrics");
    }

    /** What it counts, as of now. */
    public Metrics metrics() {
        return Metrics.scrape(metricsUrl());
    }

    private URI http(String path) {
        return URI.create("http://127.0.0.1:" + (port + HTTP_OFFSET) + path);
    }
}
