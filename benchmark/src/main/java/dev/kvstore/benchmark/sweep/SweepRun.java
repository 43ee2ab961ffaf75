package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.benchmark.sweep.report.SweepReport;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.SweepFlags;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import dev.kvstore.benchmark.sweep.step.WindowFigures;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sweep's course: a service, a stock in it, and all steps. For one thread, and for one run. */
final class SweepRun {
    static final String INTERRUPTED = "interrupted";

    private final SweepFlags flags;
    private final BenchProgress progress;
    private final Map<PlannedStep, List<SweepStep.StepRound>> rounds = new LinkedHashMap<>();
    private FaultCounts otherFaults = FaultCounts.NONE;
    private final String name = "sweep/" + HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    private final StoredPrompts stock;
    private String serviceName = "nothing";

    SweepRun(SweepFlags flags, BenchProgress progress) {
        this.flags = flags;
        this.progress = progress;
        this.stock = flags.stock(name + "/stock");
    }

    /**
     * Over data planes of our own.
     *
     * @param slowed how much later they answer than they would
     * @throws LaunchException if it failed before anything was measured
     */
    SweepReport overStack(SweptService.OwnStorage storage, Duration slowed, int dataPlanes) throws IOException {
        progress.accept("starting " + (dataPlanes == 1 ? "a data plane" : dataPlanes + " data planes") + " over "
                + storage.kind() + " storage");
        return report(() -> BenchStack.during(
                stack -> stack.withDataPlanes(dataPlanes)
                        .withStorage(storage.kind())
                        .withSettings(
                                flags.data.room(stock, flags.mostClients()).settings())
                        .withStorageLatency(storage.latency()),
                progress,
                (stack, folder) -> {
                    try (Detours detours = new Detours(slowed)) {
                        return sweep(SweptService.own(stack, folder, storage, detours), folder.resolve("logs"));
                    }
                }));
    }

    /**
     * Over a service that runs already.
     *
     * @param metrics the pages of its data planes' metrics; none if they are not to be seen
     * @throws LaunchException if it failed before anything was measured
     */
    SweepReport overRunning(ServiceAccess access, List<URI> metrics) throws IOException {
        Path target = Files.createDirectories(Home.current().target());
        return report(() -> {
            try (BenchFolder folder = BenchFolder.in(target, "kv-bench-")) {
                try {
                    return sweep(
                            SweptService.running(access, metrics, stock),
                            folder.path().resolve("logs"));
                } catch (LaunchException e) {
                    folder.rescue("logs", target.resolve("kv-bench-logs"));
                    throw e;
                }
            }
        });
    }

    /** The figures of each round of a loop's steps, so far. */
    List<WindowFigures> rounds(String loop) {
        return rounds.entrySet().stream()
                .filter(entry -> entry.getKey().loop().equals(loop))
                .flatMap(entry -> entry.getValue().stream())
                .map(SweepStep.StepRound::figures)
                .toList();
    }

    /** The steps so far, in the order of measuring. */
    List<SweepStep> steps() {
        return rounds.entrySet().stream()
                .map(entry -> SweepStep.of(entry.getKey(), flags, entry.getValue()))
                .toList();
    }

    /** Adds a round of a step. */
    void add(PlannedStep plan, SweepStep.StepRound round) {
        rounds.computeIfAbsent(plan, _ -> new ArrayList<>()).add(round);
    }

    /** Adds faults outside of the steps that are measured. */
    void add(FaultCounts faults) {
        otherFaults = otherFaults.plus(faults);
    }

    /** Sweeps, and takes the service away. */
    @FunctionalInterface
    private interface SweepWork {
        SweepRun run() throws IOException, InterruptedException;
    }

    private SweepReport report(SweepWork work) throws IOException {
        String ended = null;
        try {
            var _ = work.run();
        } catch (InterruptedException e) {
            // Asked to stop: the figures so far are reported, and nothing else of this thread waits any more.
            ended = INTERRUPTED;
        } catch (LaunchException | KvStoreException | IOException e) {
            // Ctrl-C ends the processes too, and may be heard of from them first.
            String reason = e instanceof IOException io ? IoReason.withFile(io) : String.valueOf(e.getMessage());
            ended = Thread.interrupted() ? INTERRUPTED : reason;
            if (rounds.isEmpty() && !ended.equals(INTERRUPTED)) {
                throw new LaunchException(reason, e);
            }
        }
        return SweepReport.of(flags, serviceName, steps(), otherFaults, ended);
    }

    private SweepRun sweep(SweptService service, Path logs) throws IOException, InterruptedException {
        serviceName = service.name();
        try (StockPreparation preparation = StockPreparation.of(service, stock, flags.data, this::add)) {
            progress.accept("storing %,d blocks of %,d bytes".formatted(stock.blocks(), stock.blockBytes()));
            preparation.store();
            try (ClientProcesses clients = new ClientProcesses(service, flags, stock, logs)) {
                new SweepRounds(flags, service, preparation, clients, name, progress, this).measureAll();
            }
        }
        return this;
    }
}
