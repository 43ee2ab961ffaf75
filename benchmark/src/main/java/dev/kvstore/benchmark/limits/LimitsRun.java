package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.limits.LimitScene.LimitsOptions;
import dev.kvstore.benchmark.limits.LimitsReport.MissingProgram;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Rounds;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
            for (Limit limit : options.limits()) {
                measure(limit);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return LimitsReport.of(options, loadAverage, findings, missing, flaws, interrupted);
    }

    private void measure(Limit limit) throws IOException, InterruptedException {
        int flawsBefore = flaws.size();
        try (BenchFolder folder = BenchFolder.ofThisProcess(options.folder(), FOLDER)) {
            LimitScene scene = new LimitScene(
                    home,
                    limit,
                    folder.path(),
                    options,
                    programs,
                    findings,
                    flaw -> flaws.add(limit + ": " + flaw),
                    progress);
            try {
                measure(scene);
            } catch (IOException | RuntimeException e) {
                scene.flaws().accept(Rounds.reason(e));
                progress.accept("FAILED: " + flaws.getLast());
            }
            if (flaws.size() > flawsBefore) {
                keepLogs(folder.path());
            }
        }
    }

    private static void measure(LimitScene scene) throws IOException, InterruptedException {
        switch (scene.limit()) {
            case WRITE -> WriteTrial.run(scene);
            case DISK -> DiskTrial.run(scene);
            case SMALL -> TierTrials.small(scene);
            case LOOKUP -> TierTrials.lookup(scene);
            case COLD -> TierTrials.cold(scene);
            case FAR -> TierTrials.far(scene);
            case START -> StartTrial.run(scene);
        }
    }

    private void keepLogs(Path folder) throws IOException {
        Path kept = home.target().resolve("kv-limits-logs");
        try (Stream<Path> subjects = Files.list(folder)) {
            for (Path subject : subjects.toList()) {
                new BenchFolder(subject).rescueLogs(kept.resolve(subject.getFileName()), progress);
            }
        }
    }
}
