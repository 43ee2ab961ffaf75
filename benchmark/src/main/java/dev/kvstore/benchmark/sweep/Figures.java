package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What the clients of all processes did in one window.
 *
 * @param cpuSeconds processor time of the client processes meanwhile
 */
record Figures(
        double seconds,
        Latencies lookup,
        Latencies read,
        Latencies write,
        Latencies iteration,
        long bytesRead,
        long bytesWritten,
        long compared,
        long refused,
        long retries,
        Faults.Count faults,
        double cpuSeconds) {

    /** Of all processes, whose windows are one but for a few milliseconds. */
    static Figures of(List<Answer> answers, double cpuSeconds) {
        return new Figures(
                answers.stream().mapToDouble(Answer::seconds).max().orElseThrow(),
                merged(answers, Answer::lookup),
                merged(answers, Answer::read),
                merged(answers, Answer::write),
                merged(answers, Answer::iteration),
                sum(answers, Answer::bytesRead),
                sum(answers, Answer::bytesWritten),
                sum(answers, Answer::compared),
                sum(answers, Answer::refused),
                sum(answers, Answer::retries),
                answers.stream().map(Answer::faults).reduce(Faults.Count.NONE, Faults.Count::plus),
                cpuSeconds);
    }

    private static Latencies merged(List<Answer> answers, Function<Answer, String> encoded) {
        Latencies all = new Latencies();
        answers.stream().map(encoded).map(Latencies::decoded).forEach(all::add);
        return all;
    }

    private static long sum(List<Answer> answers, ToLongFunction<Answer> figure) {
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
        return overall().percentiles().count() / (double) Mix.ITERATION.size() / seconds;
    }
}
