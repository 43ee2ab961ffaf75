package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The complete trials of one run of a suite.
 *
 * @param trials of the run in all
 * @param complete the trials of which the means are
 * @param speedUp how many times the baseline's tokens a second of storage time; NaN without a baseline, and if one of
 *     the two has no complete trial
 * @param rank by tokens a second of storage time, from 1; 0 without a baseline or a complete trial
 */
record TrialMeans(String name, int trials, List<ReportedRun> complete, double speedUp, int rank) {
    /** Tokens a second of storage time: the figure that the original compares tiers by. */
    static final String TOKENS = "/storage_throughput_tokens_per_sec";

    TrialMeans {
        complete = List.copyOf(complete);
    }

    /**
     * All runs of a suite, by rank if there is a baseline.
     *
     * @param baseline the name of the run to compare with; empty for none
     */
    static List<TrialMeans> of(List<ReportedRun> runs, String baseline) {
        Map<String, TrialMeans> plain = new LinkedHashMap<>();
        for (ReportedRun run : runs) {
            plain.computeIfAbsent(run.name(), name -> {
                List<ReportedRun> all =
                        runs.stream().filter(one -> one.name().equals(name)).toList();
                List<ReportedRun> complete =
                        all.stream().filter(ReportedRun::isComplete).toList();
                return new TrialMeans(name, all.size(), complete, Double.NaN, 0);
            });
        }
        TrialMeans slow = plain.get(baseline);
        if (slow == null) {
            return List.copyOf(plain.values());
        }
        double slowTokens = slow.mean(TOKENS);
        List<TrialMeans> ranked = plain.values().stream()
                .filter(run -> !run.complete.isEmpty())
                .sorted(Comparator.comparingDouble((TrialMeans run) -> -run.mean(TOKENS)))
                .toList();
        return plain.values().stream()
                .map(run -> new TrialMeans(
                        run.name, run.trials, run.complete, run.mean(TOKENS) / slowTokens, ranked.indexOf(run) + 1))
                .sorted(Comparator.comparingInt(run -> run.rank == 0 ? Integer.MAX_VALUE : run.rank))
                .toList();
    }

    /** The mean of a figure of the summary; NaN if no complete trial has it. */
    double mean(String pointer) {
        return complete.stream()
                .map(run -> run.summary().at(pointer))
                .filter(figure -> figure.isNumber())
                .mapToDouble(figure -> figure.asDouble())
                .average()
                .orElse(Double.NaN);
    }

    /** Whether its last tier is a disk. */
    boolean isOfDisk() {
        return complete.stream().anyMatch(run -> run.lastTier().equals(Suite.DISK));
    }

    /** The mean time of an access, in milliseconds; NaN without complete trials. */
    double accessMillis() {
        return complete.stream()
                .mapToDouble(run -> KvCachePage.accessMillis(run.summary()))
                .average()
                .orElse(Double.NaN);
    }

    /** The standard deviation of tokens a second of storage time, over these trials as the whole; NaN of fewer than 2. */
    double deviation() {
        if (complete.size() < 2) {
            return Double.NaN;
        }
        double mean = mean(TOKENS);
        return Math.sqrt(complete.stream()
                .mapToDouble(run -> Math.pow(run.figure(TOKENS) - mean, 2))
                .average()
                .orElse(Double.NaN));
    }
}
