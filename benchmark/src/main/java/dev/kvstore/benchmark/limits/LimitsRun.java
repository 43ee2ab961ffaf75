package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.IoReason;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The benchmark's course, limit after limit; one that fails does not keep the others from being measured. For one
 * thread.
 */
final class LimitsRun {
    private static final String FOLDER = "kv-limits-";

    private final Home home;
    private final LimitsOptions options;
    private final Programs programs;
    private final BenchProgress progress;
    private final LimitFindings findings = new LimitFindings();
    private final List<String> flaws = new ArrayList<>();

    LimitsRun(Home home, LimitsOptions options, Programs programs, BenchProgress progress) {
        this.home = home;
        this.options = options;
        this.programs = programs;
        this.progress = progress;
    }

    /** All of it, or what there is when this thread is interrupted. */
    LimitsReport run() throws IOException {
        List<MissingProgram> missing = MissingProgram.of(options.limits(), programs);
        missing.forEach(one -> progress.accept("not there: " + one));
        double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Files.createDirectories(options.folder());
        boolean interrupted = false;
        try {
            for (int i = 0; i < options.limits().size(); i++) {
                List<Limit> left = options.limits().subList(i, options.limits().size());
                int steps = left.stream()
                        .mapToInt(limit -> limit.trial().steps(options))
                        .sum();
                measure(left.getFirst(), steps);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return LimitsReport.of(
                LimitsReport.LimitsConditions.of(options, loadAverage),
                options.limits(),
                findings,
                missing,
                flaws,
                interrupted);
    }

    private void measure(Limit limit, int steps) throws IOException, InterruptedException {
        try (BenchFolder folder = BenchFolder.ofThisProcess(options.folder(), FOLDER)) {
            try {
                limit.trial()
                        .run(new LimitScene(home, limit, folder.path(), options, programs, findings, progress, steps));
            } catch (IOException | RuntimeException e) {
                // Ctrl-C ends other processes before this one hears of it: their end is no failure then.
                TimeUnit.SECONDS.sleep(1);
                flaws.add(limit + ": " + reason(e));
                progress.accept("FAILED: " + flaws.getLast());
                keepLogs(folder.path());
            }
        }
    }

    private static String reason(Exception failure) {
        return failure instanceof IOException io
                ? IoReason.withFile(io)
                : Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    }

    private void keepLogs(Path folder) throws IOException {
        Path kept = home.target().resolve("kv-limits-logs");
        try (Stream<Path> subjects = Files.list(folder)) {
            for (Path subject : subjects.toList()) {
                new BenchFolder(subject).rescue("logs", kept.resolve(subject.getFileName()));
            }
        }
        progress.accept("the data planes' logs are kept in " + kept);
    }
}
