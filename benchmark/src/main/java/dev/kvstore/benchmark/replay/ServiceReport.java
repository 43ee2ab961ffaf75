package dev.kvstore.benchmark.replay;

import static dev.kvstore.benchmark.report.Numbers.format;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.trace.Survey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a replay through a service, with the names that the JSON has.
 *
 * @param service for people: which one
 * @param blockBytes per block of the trace
 * @param speedup how many times as fast as in the trace requests came
 * @param mostAtOnce requests at a time
 * @param tiers null if no addresses of the data planes' metrics were given
 */
record ServiceReport(
        Survey trace,
        String service,
        int blockBytes,
        double speedup,
        int mostAtOnce,
        ServiceFigures figures,
        @Nullable TierFigures tiers)
        implements BenchReport {
    private static final double MEGABYTE = 1e6;
    private static final int PAGE = 4096;

    private static final List<Column<ServiceFigures>> BLOCKS = List.of(
            Column.of("requests", ServiceFigures::requests),
            Column.of("in", "s", ServiceFigures::seconds),
            Column.of("blocks", ServiceFigures::blocks),
            Column.of("blocks found by lookups", "of all", ServiceFigures::hitRatio),
            Column.of("read and compared", "blocks", ServiceFigures::readBlocks),
            Column.of("read and compared", "MB", figures -> figures.readBytes() / MEGABYTE),
            Column.of("written", "blocks", ServiceFigures::writtenBlocks));

    /** Where blocks came from. */
    private List<Column<TierFigures>> tierColumns() {
        // A block takes a page of header, and its bytes in whole pages.
        double room = PAGE + (blockBytes + PAGE - 1L) / PAGE * PAGE;
        return List.of(
                Column.of("from memory", "of all", TierFigures::memoryHitRatio),
                Column.of("room in memory", "blocks", tier -> Math.round(tier.memoryBytes() / room)),
                Column.of("from disk", "of all", TierFigures::diskHitRatio),
                Column.of("room on disk", "blocks", tier -> Math.round(tier.diskBytes() / room)),
                Column.of("from storage", "of all", TierFigures::storageHitRatio),
                Column.of("storage calls per lookup", TierFigures::storageCallsPerLookup),
                Column.of("storage calls per block read", TierFigures::storageCallsPerBlockRead));
    }

    /** How many times less a block has than at full size. */
    @JsonProperty
    double scaledDown() {
        return (double) ReplayOptions.FULL_BLOCK_BYTES / blockBytes;
    }

    @Override
    public List<String> failures() {
        return figures.breaches();
    }

    @Override
    public ReportPage page(String command) {
        List<Figure> found = new ArrayList<>();
        if (tiers != null) {
            found.add(new Figure.Bars(
                    "Where blocks came from",
                    "of all blocks",
                    List.of(
                            Figure.Bar.of("hit ratio", "memory", tiers.memoryHitRatio()),
                            Figure.Bar.of("hit ratio", "disk", tiers.diskHitRatio()),
                            Figure.Bar.of("hit ratio", "storage", tiers.storageHitRatio()))));
            found.add(Figure.Table.facts("Where they came from", tierColumns(), tiers));
        }
        found.add(Figure.Table.facts("Blocks", BLOCKS, figures));
        Map<String, Latencies.Percentiles> times = new LinkedHashMap<>();
        times.put("lookup", figures.lookup());
        times.put("first block", figures.firstBlock());
        times.put("restore", figures.restore());
        times.put("begun late by", figures.late());
        return new ReportPage(
                "Trace replay",
                format(
                        "%s.%nThrough %s.%nAt %s times the trace's pace, %d requests at most at a time. Blocks of %,d bytes:"
                                + " 1/%.0f of their full size.",
                        trace.text(), service, Numbers.text(speedup), mostAtOnce, blockBytes, scaledDown()),
                List.of(
                        new ReportPage.Section(
                                "Hit ratio",
                                "Each request looks its prompt up, streams back what is there, and writes the rest; each byte"
                                        + " that came back was compared. The times of first block and restore begin with the"
                                        + " lookup.",
                                found),
                        new ReportPage.Section(
                                "Times",
                                figures.flaws().stream()
                                        .map("FLAW: %s"::formatted)
                                        .collect(Collectors.joining("\n\n")),
                                List.of(LatencyTable.of("How long requests took", times)))));
    }
}
