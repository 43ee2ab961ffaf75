package dev.kvstore.benchmark.fleet;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.StackControlPlane;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Processor time that was used so far.
 *
 * @param database of PostgreSQL and those of its processes that run
 */
record Cpus(Duration control, Duration database, Duration benchmark) {
    private static final double NANOS = 1e9;

    static Cpus now(StackControlPlane control) {
        return new Cpus(control.process().usage().cpu(), database(control), of(ProcessHandle.current()));
    }

    private static Duration database(StackControlPlane control) {
        long pid = control.database()
                .pid()
                .orElseThrow(() -> new LaunchException("the control plane's PostgreSQL cannot be found"));
        return ProcessHandle.of(pid).stream()
                .flatMap(postmaster -> Stream.concat(Stream.of(postmaster), postmaster.children()))
                .map(Cpus::of)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration of(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Processors used on average between two readings. */
    static double used(Duration before, Duration after, double seconds) {
        return after.minus(before).toNanos() / NANOS / seconds;
    }
}
