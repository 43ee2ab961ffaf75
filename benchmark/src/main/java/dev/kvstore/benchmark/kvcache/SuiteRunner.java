package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.suite.Suite;
import dev.kvstore.benchmark.kvcache.suite.SuiteRun;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Does the runs of a suite one after the other, each as if its flags had been given by hand. For one thread. */
final class SuiteRunner {
    private final List<SuiteRun> planned;
    private final Path folder;
    private final Duration pause;
    private final int ranks;
    private final CallerFlags given;
    private final Clock clock;

    /**
     * The caller's own flags, beside the suite's.
     *
     * @param flags for each run
     * @param lastTier in place of a suite's disk; null for that
     */
    record CallerFlags(List<String> flags, @Nullable String lastTier) {
        CallerFlags {
            flags = List.copyOf(flags);
        }
    }

    /**
     * Runs of a suite.
     *
     * @param folder takes their results; made when it runs
     * @param pause between them
     * @param ranks clients that do each run side by side
     */
    SuiteRunner(List<SuiteRun> planned, Path folder, Duration pause, int ranks, CallerFlags given, Clock clock) {
        this.planned = List.copyOf(planned);
        this.folder = folder;
        this.pause = pause;
        this.ranks = ranks;
        this.given = given;
        this.clock = clock;
    }

    /** @throws IllegalArgumentException if one of the runs cannot be, with the name of the flag */
    void check() {
        for (SuiteRun run : planned) {
            KvCacheCommand command = command(run, null);
            command.check();
            if (ranks > 1 && command.memoryBytes() * ranks > MachineMemory.availableBytes()) {
                throw new IllegalArgumentException("--ranks: " + ranks
                        + " clients have larger cpu tiers together than this machine has memory free; give less");
            }
        }
    }

    private KvCacheCommand command(SuiteRun run, @Nullable Path config) {
        List<String> all = new ArrayList<>(run.flags());
        if (!run.tiers().isEmpty()) {
            all.add("--tiers="
                    + String.join(",", run.tiers().stream().map(this::tier).toList()));
        }
        all.addAll(given.flags());
        if (config != null) {
            all.add("--config=" + config);
        }
        KvCacheCommand command = new KvCacheCommand();
        KvCacheCommand.line(command).parseArgs(all.toArray(String[]::new));
        return command;
    }

    private String tier(String name) {
        return name.equals(Suite.DISK) && given.lastTier() != null ? given.lastTier() : name;
    }

    /** All runs, or those before this thread was asked to stop. */
    List<SuiteReport.ReportedRun> run(BenchProgress progress, String dateTime)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        List<SuiteReport.ReportedRun> done = new ArrayList<>();
        BenchProgress quiet = new BenchProgress(_ -> {}, clock);
        progress.plan(planned.size());
        for (SuiteRun run : planned) {
            if (!done.isEmpty() && isStopped()) {
                break;
            }
            progress.step(run.name() + ", trial " + run.trial());
            done.addAll(ranks(run, dateTime, quiet));
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
        }
        progress.accept("the original's JSON of each run is in " + folder);
        return done;
    }

    /** One run, by all clients side by side. */
    private List<SuiteReport.ReportedRun> ranks(SuiteRun run, String dateTime, BenchProgress quiet)
            throws IOException, InterruptedException {
        Path config = config(run);
        if (ranks == 1) {
            return List.of(rank(run, command(run, config), file(run, dateTime, 0), quiet));
        }
        List<FutureTask<SuiteReport.ReportedRun>> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            KvCacheCommand command = command(run, config);
            command.become(rank);
            Path file = file(run, dateTime, rank);
            FutureTask<SuiteReport.ReportedRun> client =
                    new FutureTask<>(() -> rank(run, command, file, new BenchProgress(_ -> {}, clock)));
            clients.add(client);
            threads.add(Thread.ofPlatform().name("rank-" + rank).start(client));
        }
        return results(clients, threads);
    }

    /** The results of the clients, which are asked to stop if this thread was. */
    private static List<SuiteReport.ReportedRun> results(
            List<FutureTask<SuiteReport.ReportedRun>> clients, List<Thread> threads) throws IOException {
        List<SuiteReport.ReportedRun> results = new ArrayList<>();
        boolean asked = false;
        for (FutureTask<SuiteReport.ReportedRun> client : clients) {
            while (true) {
                try {
                    results.add(client.get());
                    break;
                } catch (InterruptedException e) {
                    asked = true;
                    threads.forEach(Thread::interrupt);
                } catch (ExecutionException e) {
                    threads.forEach(Thread::interrupt);
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    throw new IOException("a client of the suite has failed: " + cause.getMessage(), e);
                }
            }
        }
        if (asked) {
            Thread.currentThread().interrupt();
        }
        return results;
    }

    private static SuiteReport.ReportedRun rank(SuiteRun run, KvCacheCommand command, Path file, BenchProgress quiet)
            throws IOException, InterruptedException {
        KvCacheReport report = command.runOnce(quiet, file);
        return new SuiteReport.ReportedRun(
                run.name(), run.trial(), file.toString(), report.results().path("summary"), report.flaws());
    }

    private Path file(SuiteRun run, String dateTime, int rank) throws IOException {
        return prepared(folder.resolve(run.file()
                .replace("results.json", "results_" + dateTime + ".json")
                .replace("rank_0", "rank_" + rank)));
    }

    /** Pauses; whether this thread was asked to stop meanwhile. */
    private boolean isStopped() {
        try {
            Thread.sleep(pause);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private @Nullable Path config(SuiteRun run) throws IOException {
        return run.config().isEmpty() ? null : Files.writeString(folder.resolve("config.yaml"), run.config());
    }

    private static Path prepared(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        return file;
    }
}
