package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/** The sweep's course: a service, a stock in it, and all steps. For one thread. */
final class SweepRun {
    /** Two: how a service does that has a process for each of two NUMA nodes. */
    private static final int DATA_PLANES = 2;

    static final String INTERRUPTED = "interrupted";

    private final Home home;
    private final SweepOptions options;
    private final BenchProgress progress;
    private final SweepResults measured;

    SweepRun(Home home, SweepOptions options, BenchProgress progress) {
        this.home = home;
        this.options = options;
        this.progress = progress;
        this.measured = new SweepResults(options);
    }

    /**
     * Over two data planes of our own.
     *
     * @param slowed how much later they answer than they would
     */
    SweepReport run(OwnService.OwnStorage storage, Duration slowed) throws IOException {
        return run(storage, slowed, DATA_PLANES);
    }

    /** Over so many. */
    SweepReport run(OwnService.OwnStorage storage, Duration slowed, int dataPlanes) throws IOException {
        return guarded((stock, folder) -> {
            progress.accept("starting " + (dataPlanes == 1 ? "a data plane" : dataPlanes + " data planes") + " over "
                    + storage.kind() + " storage");
            return OwnService.start(
                    home,
                    folder,
                    storage,
                    dataPlanes,
                    Room.of(options.data(), stock, options.mostClients()),
                    new Detours(slowed));
        });
    }

    /** The figures of each round of a loop's steps, so far. */
    List<WindowFigures> rounds(String loop) {
        return measured.rounds(loop);
    }

    /** Over a service that runs already. */
    SweepReport run(ServiceAccess access) throws IOException {
        return guarded((stock, _) ->
                RunningService.reach(access, stock.where(), stock.chains().getFirst()));
    }

    /** Makes the service ready. */
    @FunctionalInterface
    private interface ServiceStart {
        Service service(SweepStock stock, BenchFolder folder) throws IOException, InterruptedException;
    }

    /**
     * Runs, and returns a report also when the run was interrupted or could not go on.
     *
     * @throws LaunchException if it failed before anything was measured
     */
    private SweepReport guarded(ServiceStart beginning) throws IOException {
        Files.createDirectories(home.target());
        String run = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        SweepStock stock = options.stock("sweep/" + run + "/stock");
        String end = null;
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-bench-")) {
            try (Service service = beginning.service(stock, folder)) {
                measured.begun(service.name());
                measure(service, stock, run, folder.path().resolve("logs"));
            } catch (InterruptedException e) {
                // Asked to stop: what there is, is reported, and nothing else of this thread waits any more.
                end = INTERRUPTED;
            } catch (LaunchException | KvStoreException | IOException e) {
                // Ctrl-C ends the processes too, and may be heard of from them first.
                end = Thread.interrupted() ? INTERRUPTED : kept(e, folder);
            }
        }
        return measured.report(end);
    }

    private String kept(Exception failure, BenchFolder folder) throws IOException {
        Path logs = home.target().resolve("kv-bench-logs");
        if (Files.isDirectory(folder.path().resolve("logs"))) {
            folder.rescue("logs", logs);
            progress.accept("logs are kept in " + logs);
        }
        String reason =
                failure instanceof IOException io ? IoReason.withFile(io) : String.valueOf(failure.getMessage());
        if (measured.isEmpty()) {
            throw new LaunchException(reason, failure);
        }
        return reason;
    }

    private void measure(Service service, SweepStock stock, String run, Path logs)
            throws IOException, InterruptedException {
        try (StockPreparation preparation = new StockPreparation(service, stock, options.data(), measured.faults())) {
            progress.accept("storing %,d blocks of %,d bytes".formatted(stock.blocks(), stock.blockBytes()));
            preparation.store();
            try (ClientProcesses clients = new ClientProcesses(
                    service.access(), options.mix(), stock, options.processes(), options.connections(), logs)) {
                new SweepRounds(options, service, preparation, clients, "sweep/" + run, progress, measured).run();
            }
        }
    }
}
