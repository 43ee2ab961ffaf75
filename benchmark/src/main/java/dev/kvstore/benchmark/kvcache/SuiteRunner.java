package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import dev.kvstore.benchmark.kvcache.suite.Suite;
import dev.kvstore.benchmark.kvcache.suite.SuiteRun;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Does the runs of a suite one after the other, each as if its flags had been given by hand. For one thread. */
final class SuiteRunner {
    private final List<SuiteRun> planned;
    private final Path folder;
    private final int pauseSeconds;
    private final int ranks;
    private final List<String> given;
    private final String lastTier;

    /**
     * Runs of a suite.
     *
     * @param folder takes their results; made when it runs
     * @param pauseSeconds between them
     * @param ranks clients that do each run side by side
     * @param given the caller's own flags, for each run
     * @param lastTier in place of a suite's disk
     */
    SuiteRunner(List<SuiteRun> planned, Path folder, int pauseSeconds, int ranks, List<String> given, String lastTier) {
        this.planned = List.copyOf(planned);
        this.folder = folder;
        this.pauseSeconds = pauseSeconds;
        this.ranks = ranks;
        this.given = List.copyOf(given);
        this.lastTier = lastTier;
    }

    /** @throws IllegalArgumentException if one of the runs cannot be, with the name of the flag */
    void check() {
        for (SuiteRun run : planned) {
            KvCacheCommand command = command(run, null);
            command.check();
            FlagCheck.refuseIf(
                    ranks > 1 && command.memoryBytes() * ranks > MachineMemory.availableBytes(),
                    "--ranks: " + ranks
                            + " clients have larger cpu tiers together than this machine has memory free; give less");
        }
    }

    private KvCacheCommand command(SuiteRun run, @Nullable Path config) {
        List<String> all = new ArrayList<>(run.flags());
        if (!run.tiers().isEmpty()) {
            all.add("--tiers=" + String.join(",", run.tiers()).replace(Suite.DISK, lastTier));
        }
        all.addAll(given);
        if (config != null) {
            all.add("--config=" + config);
        }
        KvCacheCommand command = new KvCacheCommand();
        KvCacheCommand.line(command).parseArgs(all.toArray(String[]::new));
        return command;
    }

    /** All runs, or those before this thread was asked to stop. */
    List<ReportedRun> run(BenchProgress progress, String dateTime) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        List<ReportedRun> done = new ArrayList<>();
        progress.plan(planned.size());
        for (SuiteRun run : planned) {
            if (!done.isEmpty() && isStopped()) {
                break;
            }
            progress.step(run.name() + ", trial " + run.trial());
            done.addAll(ranks(run, dateTime));
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
        }
        progress.accept("the original's JSON of each run is in " + folder);
        return done;
    }

    /** One run, by all clients side by side. */
    private List<ReportedRun> ranks(SuiteRun run, String dateTime) throws IOException, InterruptedException {
        Path config = config(run);
        if (ranks == 1) {
            return List.of(rank(run, command(run, config), file(run, dateTime, 0)));
        }
        List<FutureTask<ReportedRun>> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            KvCacheCommand command = command(run, config);
            command.become(rank);
            Path file = file(run, dateTime, rank);
            FutureTask<ReportedRun> client = new FutureTask<>(() -> rank(run, command, file));
            clients.add(client);
            threads.add(Thread.ofPlatform().name("rank-" + rank).start(client));
        }
        return results(clients, threads);
    }

    /** The results of the clients, which are asked to stop if this thread was. */
    private static List<ReportedRun> results(List<FutureTask<ReportedRun>> clients, List<Thread> threads)
            throws IOException {
        List<ReportedRun> results = new ArrayList<>();
        boolean asked = false;
        for (FutureTask<ReportedRun> client : clients) {
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

    private static ReportedRun rank(SuiteRun run, KvCacheCommand command, Path file)
            throws IOException, InterruptedException {
        KvCacheReport report = command.runOnce(new BenchProgress(_ -> {}, Clock.systemUTC()), file);
        return new ReportedRun(
                run.name(), run.trial(), file.toString(), report.results().path("summary"), report.flaws());
    }

    private Path file(SuiteRun run, String dateTime, int rank) throws IOException {
        Path file = folder.resolve(run.file()
                .replace("results.json", "results_" + dateTime + ".json")
                .replace("rank_0", "rank_" + rank));
        Files.createDirectories(file.resolveSibling(""));
        return file;
    }

    /** Pauses; whether this thread was asked to stop meanwhile. */
    private boolean isStopped() {
        try {
            TimeUnit.SECONDS.sleep(pauseSeconds);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private @Nullable Path config(SuiteRun run) throws IOException {
        return run.config().isEmpty() ? null : Files.writeString(folder.resolve("config.yaml"), run.config());
    }
}
