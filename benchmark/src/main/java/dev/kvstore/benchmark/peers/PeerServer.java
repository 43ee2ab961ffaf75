package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.peers.load.CpuTime;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Readiness;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The process that answers for a peer, on loopback. For one thread. */
final class PeerServer implements StartedParts.StartedPart {
    private static final Duration READY_WITHIN = Duration.ofMinutes(1);

    private final ManagedProcess process;
    private final Detours detours;

    private PeerServer(ManagedProcess process, Duration slowed) {
        this.process = process;
        this.detours = new Detours(slowed);
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param readiness null for: as soon as somebody listens at the port
     * @param slowed how much later each answer comes than it would; zero for a server as it is
     */
    static PeerServer start(
            String name,
            List<String> command,
            Map<String, String> environment,
            int port,
            @Nullable Readiness readiness,
            Path log,
            Duration slowed)
            throws InterruptedException {
        ManagedProcess process = ManagedProcess.start(name, command, environment, log);
        try {
            Readiness ready = readiness == null
                    ? Readiness.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    : readiness;
            var _ = process.awaitReady(ready, READY_WITHIN);
            return new PeerServer(process, slowed);
        } catch (InterruptedException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** Where clients connect instead of a port of the server's: there, or in front of it if it is slowed. */
    int reached(int port) throws IOException {
        return detours.port(port);
    }

    long pid() {
        return process.pid();
    }

    /** Processor time of it and of the processes it has started. */
    double cpuSeconds() {
        return CpuTime.ofTree(process.pid());
    }

    @Override
    public void close() {
        detours.close();
        process.close();
    }
}
