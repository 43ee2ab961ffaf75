package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was found, with the names that the JSON has. *
 * @param service the measured service, for people
 * @param load what an iteration is
 * @param data where the blocks lay that were read: {@code hot}, {@code disk} or {@code cold}
 * @param promptBlocks of each prompt that is read, looked up, or written as one stream
 * @param stockBlocks how many they were
 * @param processes of clients
 * @param connections of each of them to each data plane
 * @param target the demand that servers are counted for; null if none was given
 * @param steps in the order of measuring
 * @param series the figures that follow, an arrangement each
 * @param faults of all steps, of the warm-up, and of reads and lookups between them
 * @param ended why the run ended before its time; null if it did not
 */
record SweepReport(
        String system,
        int processors,
        String java,
        String service,
        Mix load,
        String data,
        int promptBlocks,
        int blockBytes,
        int stockBlocks,
        int processes,
        int connections,
        double seconds,
        int rounds,
        @Nullable String target,
        List<SweepStep> steps,
        List<SweepSeries> series,
        Faults.FaultCounts faults,
        @Nullable String ended)
        implements BenchReport {
    SweepReport {
        steps = List.copyOf(steps);
        series = List.copyOf(series);
    }

    @Override
    public String text() {
        return SweepTable.of(this);
    }

    @Override
    public ReportPage page(String command) {
        return SweepPage.of(this, command);
    }

    /** No block was lost or wrong, no call failed but for overload, and everything was measured. */
    @Override
    public boolean holds() {
        return faults.all() == 0 && ended == null;
    }
}
