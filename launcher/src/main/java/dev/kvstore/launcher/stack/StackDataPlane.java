package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.LaunchException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One data plane of a local stack. Thread-safe. */
public final class StackDataPlane extends StackProcess {
    /** The difference between a data plane's HTTP port (health, metrics) and its gRPC port. */
    public static final int HTTP_OFFSET = 1_000;

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    /** The time to finish open calls, with some reserve: a data plane's drain-grace-period and drain-timeout. */
    private static final Duration GRACE = Duration.ofSeconds(25);

    private final StackLayout.Seat seat;
    private final int port;

    private StackDataPlane(StackLayout.Seat seat, int port, ProcessStart start) {
        super(start, port + HTTP_OFFSET, READY_WITHIN);
        this.seat = seat;
        this.port = port;
    }

    /**
     * Starts a data plane without waiting for it.
     *
     * @throws LaunchException if a port is in use
     */
    static StackDataPlane start(
            StackLayout.Seat seat, int port, List<String> command, Map<String, String> environment, Path log) {
        requireFree(port);
        return new StackDataPlane(seat, port, new ProcessStart("data-plane-" + port, command, environment, log));
    }

    /**
     * Checks that the ports of a data plane are free.
     *
     * @throws LaunchException if a server listens there
     */
    static void requireFree(int port) {
        for (int needed : new int[] {port, port + HTTP_OFFSET}) {
            requireFree(
                    needed,
                    "give --port another first port (a data plane uses a port and the one " + HTTP_OFFSET + " above)");
        }
    }

    /** The data plane's region. */
    public String region() {
        return seat.region();
    }

    /** The data plane's cluster, if the stack has a control plane. */
    public String cluster() {
        return seat.cluster();
    }

    /** The data plane's name at the control plane. */
    public String memberName() {
        return seat.process();
    }

    @Override
    public void stop() {
        process().stop(GRACE);
    }

    /** The data plane's address for clients, host:port. */
    public String endpoint() {
        return endpoint(port);
    }

    static String endpoint(int port) {
        return "127.0.0.1:" + port;
    }

    public URI metricsUrl() {
        return http("/q/metrics");
    }

    /** Reads the data plane's present metrics. */
    public Metrics metrics() {
        return Metrics.scrape(metricsUrl());
    }
}
