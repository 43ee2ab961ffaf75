package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
import java.nio.file.Path;

/**
 * Where a limit is measured, and who hears of it.
 *
 * @param folder its own, on a disk
 * @param findings receive the figures
 * @param steps of the progress that this limit and those after it take
 */
record LimitScene(
        Home home,
        Limit limit,
        Path folder,
        LimitsOptions options,
        Programs programs,
        LimitFindings findings,
        BenchProgress progress,
        int steps) {
    /** Begins the steps: longer work before them, such as starting, is over. */
    void begin() {
        progress.plan(steps);
    }

    /** A step begins. */
    void step(String what) {
        progress.step(limit + ": " + what);
    }

    /** Something else is done. */
    void say(String what) {
        progress.accept(limit + ": " + what);
    }
}
