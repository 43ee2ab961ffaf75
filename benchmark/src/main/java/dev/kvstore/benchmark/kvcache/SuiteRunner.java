package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.Suite.SuiteRun;
import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Does several runs one after the other, each as if its flags had been given by hand. For one thread.
 *
 * @param folder takes their results; made when it runs
 * @param pauseSeconds between them
 * @param ranks clients that do each run side by side
 * @param given the caller's own flags, for each run, which stand over those of the run
 * @param lastTier in place of a suite's disk
 */
record SuiteRunner(
        List<SuiteRun> planned, Path folder, int pauseSeconds, int ranks, List<String> given, String lastTier) {
    SuiteRunner {
        planned = List.copyOf(planned);
        given = List.copyOf(given);
    }

    /** @throws IllegalArgumentException if one of the runs cannot be, with the name of the flag */
    void check() {
        for (SuiteRun run : planned) {
            KvCacheCommand command = KvCacheCommand.parsed(flags(run, null));
            command.check();
            KvCacheFlags flags = command.flags();
            double memory = flags.has(TierName.CPU) ? flags.cpuMemGb() * KvCacheFlags.GIBIBYTE : 0;
            FlagCheck.refuseIf(
                    ranks > 1 && memory * ranks > FlagCheck.availableBytes(),
                    "--ranks: " + ranks
                            + " clients have larger cpu tiers together than this machine has memory free; give less");
        }
    }

    /** Whether a run measures a disk. */
    boolean usesDisk() {
        return planned.stream()
                .anyMatch(run -> run.tiers().replace(Suite.DISK, lastTier).endsWith(Suite.DISK));
    }

    private List<String> flags(SuiteRun run, @Nullable Path config) {
        List<String> all = new ArrayList<>(run.flags());
        if (!run.tiers().isEmpty()) {
            all.add("--tiers=" + run.tiers().replace(Suite.DISK, lastTier));
        }
        all.addAll(given);
        if (config != null) {
            all.add("--config=" + config);
        }
        return all;
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

    /** Makes one run with all clients side by side. An interrupt of this thread is passed on to the clients. */
    private List<ReportedRun> ranks(SuiteRun run, String dateTime) throws IOException, InterruptedException {
        Path config = run.config().isEmpty() ? null : Files.writeString(folder.resolve("config.yaml"), run.config());
        if (ranks == 1) {
            return List.of(rank(run, KvCacheCommand.parsed(flags(run, config)), file(run, dateTime, 0)));
        }
        List<FutureTask<ReportedRun>> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            KvCacheCommand command = client(flags(run, config), rank);
            Path file = file(run, dateTime, rank);
            FutureTask<ReportedRun> client = new FutureTask<>(() -> rank(run, command, file));
            clients.add(client);
            threads.add(Thread.ofPlatform().name("rank-" + rank).start(client));
        }
        List<ReportedRun> results = new ArrayList<>();
        boolean asked = false;
        while (results.size() < ranks) {
            try {
                results.add(clients.get(results.size()).get());
            } catch (InterruptedException e) {
                asked = true;
                threads.forEach(Thread::interrupt);
            } catch (ExecutionException e) {
                threads.forEach(Thread::interrupt);
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw new IOException("a client of the suite has failed: " + cause.getMessage(), e);
            }
        }
        if (asked) {
            Thread.currentThread().interrupt();
        }
        return results;
    }

    /** Makes one of several clients, with a seed and a folder of its own. */
    private static KvCacheCommand client(List<String> flags, int rank) {
        KvCacheFlags shared = KvCacheCommand.parsed(flags).flags();
        flags.add("--seed=" + ((shared.seed() == null ? 0 : shared.seed()) + rank));
        flags.add("--cache-dir=" + shared.folder().resolve("rank_" + rank));
        return KvCacheCommand.parsed(flags);
    }

    private static ReportedRun rank(SuiteRun run, KvCacheCommand command, Path file)
            throws IOException, InterruptedException {
        KvCacheReport report = command.runOnce(KvCacheCommand.silent(), file);
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
}
