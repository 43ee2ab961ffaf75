package dev.kvstore.benchmark.presence;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.Locale;
import java.util.Map;

/**
 * The findings, with the names that the JSON has.
 *
 * @param writeSeconds until all blocks were durable
 * @param readyMillis from the start of the second data plane until it takes work
 * @param loadMillis until it had learnt of the partition, as its first lookup made it do
 * @param loadCalls to storage for that, by kind
 * @param presenceBytes of all that presence keeps in storage, which is the size of the filter in memory too
 * @param presenceFiles in how many blobs
 * @param falsePositiveRate of blocks that are not stored, the part a filter said "maybe" to
 * @param asked blocks that were not stored, of which that was measured
 * @param wrongLookups that did not count all stored blocks
 */
record PresenceReport(
        int blocks,
        double writeSeconds,
        double readyMillis,
        double firstLookupMillis,
        double loadMillis,
        Map<String, Double> loadCalls,
        long presenceBytes,
        int presenceFiles,
        double falsePositiveRate,
        long asked,
        long wrongLookups,
        LookupTimes cold,
        LookupTimes known,
        LookupTimes missing)
        implements BenchReport {
    /**
     * Lookups of 1,000 blocks, one after the other.
     *
     * @param calls to storage, by kind, per lookup
     */
    record LookupTimes(double perSecond, Latencies.Percentiles latency, Map<String, Double> calls) {}

    @Override
    public String text() {
        return String.format(
                        Locale.ROOT,
                        """
                        %d blocks of 512 bytes in one partition, written in %.0f s (%.0f per second)
                        a process started afterwards: ready after %.0f ms, first lookup answered after %.0f ms more,
                          of these %.0f ms to learn of the partition; calls to storage: %s
                        presence          %.2f bytes per block (%d bytes in %d blobs)
                        false positives   %.5f %% of %d absent blocks
                        wrong lookups     %d
                        """,
                        blocks,
                        writeSeconds,
                        blocks / writeSeconds,
                        readyMillis,
                        firstLookupMillis,
                        loadMillis,
                        calls(loadCalls),
                        (double) presenceBytes / blocks,
                        presenceBytes,
                        presenceFiles,
                        100 * falsePositiveRate,
                        asked,
                        wrongLookups)
                + line("full hit, cold", cold)
                + line("full hit, known", known)
                + line("full miss", missing);
    }

    @Override
    public ReportPage page(String command) {
        return PresencePage.of(this);
    }

    private static String line(String name, LookupTimes lookups) {
        return String.format(
                Locale.ROOT,
                "%-17s %.0f lookups/s of 1,000 blocks, one client: p50 %.2f ms, p99 %.2f ms; calls per lookup: %s%n",
                name,
                lookups.perSecond(),
                lookups.latency().p50Millis(),
                lookups.latency().p99Millis(),
                calls(lookups.calls()));
    }

    private static String calls(Map<String, Double> calls) {
        return calls.isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        calls.entrySet().stream()
                                .map(entry -> String.format(Locale.ROOT, "%s %.3g", entry.getKey(), entry.getValue()))
                                .toList());
    }
}
