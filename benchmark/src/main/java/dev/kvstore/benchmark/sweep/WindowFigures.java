package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The work of the clients of all processes in one window.
 *
 * @param results latencies of Lookups, Reads and Writes that an iteration has
 * @param firstBlock of StreamingReads, from asking for a prompt to its first block
 * @param cpuSeconds processor time of the client processes meanwhile
 */
record WindowFigures(
        double seconds,
        int results,
        Latencies lookup,
        Latencies read,
        Latencies write,
        Latencies iteration,
        Latencies firstBlock,
        long bytesRead,
        long bytesWritten,
        long compared,
        long refused,
        long retries,
        Faults.FaultCounts faults,
        double cpuSeconds) {

    /** The figures of all processes together; their windows agree except for a few milliseconds. */
    static WindowFigures of(List<StepResult> answers, int results, double cpuSeconds) {
        return new WindowFigures(
                answers.stream().mapToDouble(StepResult::seconds).max().orElseThrow(),
                results,
                merged(answers, StepResult::lookup),
                merged(answers, StepResult::read),
                merged(answers, StepResult::write),
                merged(answers, StepResult::iteration),
                merged(answers, StepResult::firstBlock),
                sum(answers, StepResult::bytesRead),
                sum(answers, StepResult::bytesWritten),
                sum(answers, StepResult::compared),
                sum(answers, StepResult::refused),
                sum(answers, StepResult::retries),
                answers.stream().map(StepResult::faults).reduce(Faults.FaultCounts.NONE, Faults.FaultCounts::plus),
                cpuSeconds);
    }

    private static Latencies merged(List<StepResult> answers, Function<StepResult, String> encoded) {
        Latencies all = new Latencies();
        answers.stream().map(encoded).map(Latencies::decoded).forEach(all::add);
        return all;
    }

    private static long sum(List<StepResult> answers, ToLongFunction<StepResult> figure) {
        return answers.stream().mapToLong(figure).sum();
    }

    /** Latencies of all operations together. */
    Latencies overall() {
        Latencies all = new Latencies();
        all.add(lookup);
        all.add(read);
        all.add(write);
        return all;
    }

    /** Operations by those that an iteration has: smoother than counting whole ones, and the same in the long run. */
    double iterationsPerSecond() {
        return overall().percentiles().count() / (double) results / seconds;
    }
}
