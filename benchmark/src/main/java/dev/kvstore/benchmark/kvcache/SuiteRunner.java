package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.suite.Suite;
import dev.kvstore.benchmark.kvcache.suite.SuiteRun;
import dev.kvstore.benchmark.measure.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Does the runs of a suite one after the other, each as if its flags had been given by hand. For one thread. */
final class SuiteRunner {
    private final List<SuiteRun> planned;
    private final Path folder;
    private final Duration pause;
    private final Given given;
    private final Clock clock;

    /**
     * The caller's own flags, beside the suite's.
     *
     * @param flags for each run
     * @param lastTier in place of a suite's disk; null for that
     */
    record Given(List<String> flags, @Nullable String lastTier) {
        Given {
            flags = List.copyOf(flags);
        }
    }

    /**
     * Runs of a suite.
     *
     * @param folder takes their results; made when it runs
     * @param pause between them
     */
    SuiteRunner(List<SuiteRun> planned, Path folder, Duration pause, Given given, Clock clock) {
        this.planned = List.copyOf(planned);
        this.folder = folder;
        this.pause = pause;
        this.given = given;
        this.clock = clock;
    }

    /** @throws IllegalArgumentException if one of the runs cannot be, with the name of the flag */
    void check() {
        for (SuiteRun run : planned) {
            command(run, null).check();
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
    List<SuiteReport.Run> run(Progress progress, String dateTime) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        List<SuiteReport.Run> done = new ArrayList<>();
        Progress quiet = new Progress(_ -> {}, clock);
        progress.plan(planned.size());
        for (SuiteRun run : planned) {
            if (!done.isEmpty() && isStopped()) {
                break;
            }
            progress.step(run.name() + ", trial " + run.trial());
            Path file = folder.resolve(run.file().replace("results.json", "results_" + dateTime + ".json"));
            KvCacheReport report = command(run, config(run)).runOnce(quiet, prepared(file));
            done.add(new SuiteReport.Run(
                    run.name(), run.trial(), file.toString(), report.results().path("summary"), report.flaws()));
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
