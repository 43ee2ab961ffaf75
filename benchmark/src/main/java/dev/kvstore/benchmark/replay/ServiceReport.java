package dev.kvstore.benchmark.replay;

import static dev.kvstore.benchmark.report.Numbers.format;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.trace.Survey;
import java.util.ArrayList;
import java.util.List;
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

    /** How many times less a block has than at full size. */
    @JsonProperty
    double scaledDown() {
        return (double) ReplayOptions.FULL_BLOCK_BYTES / blockBytes;
    }

    @Override
    public boolean holds() {
        return figures.holds();
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(summary()).append("\n\n");
        table().rows().forEach(row -> text.append(String.format("%-26s %s%n", row.get(0) + ":", row.get(1))));
        text.append('\n');
        text.append(String.format("%-26s %10s %10s %10s %10s%n", "ms", "p50", "p90", "p99", "longest"));
        times().rows()
                .forEach(row -> text.append(String.format(
                        "%-26s %10s %10s %10s %10s%n", row.get(0), row.get(1), row.get(2), row.get(3), row.get(4))));
        figures.flaws().forEach(flaw -> text.append("FLAW: ").append(flaw).append('\n'));
        figures.breaches()
                .forEach(breach -> text.append("FAILED: ").append(breach).append('\n'));
        return text.toString();
    }

    private String summary() {
        return trace.text() + "\n"
                + format(
                        "Through %s, at %s times the trace's pace, %d requests at most at a time. Blocks of %,d bytes: 1/%.0f of"
                                + " their full size.",
                        service, number(speedup), mostAtOnce, blockBytes, scaledDown());
    }

    private Figure.Table table() {
        List<List<String>> rows = new ArrayList<>();
        row(rows, "requests", "%,d in %,.1f s", figures.requests(), figures.seconds());
        row(rows, "blocks found by lookups", "%.4f of %,d", figures.hitRatio(), figures.blocks());
        if (tiers != null) {
            row(
                    rows,
                    "from memory",
                    "%.4f, with room for %,.0f blocks",
                    tiers.memoryHitRatio(),
                    blocks(tiers.memoryBytes()));
            row(rows, "from disk", "%.4f, with room for %,.0f blocks", tiers.diskHitRatio(), blocks(tiers.diskBytes()));
            row(rows, "from storage", "%.4f", tiers.storageHitRatio());
            row(rows, "storage calls per lookup", "%.2f", tiers.storageCallsPerLookup());
            row(rows, "storage calls per block read", "%.2f", tiers.storageCallsPerBlockRead());
        }
        row(rows, "read and compared", "%,d blocks, %,.1f MB", figures.readBlocks(), figures.readBytes() / MEGABYTE);
        row(rows, "written", "%,d blocks", figures.writtenBlocks());
        return new Figure.Table("Blocks", List.of("figure", "value"), rows);
    }

    /** The number of blocks that fit: a block takes a page of header, and its bytes in whole pages. */
    private double blocks(double bytes) {
        int page = 4096;
        return bytes / (page + (blockBytes + page - 1L) / page * page);
    }

    private Figure.Table times() {
        return new Figure.Table(
                "Times",
                List.of("ms", "p50", "p90", "p99", "longest"),
                List.of(
                        times("lookup", figures.lookup()),
                        times("first block", figures.firstBlock()),
                        times("restore", figures.restore()),
                        times("begun late by", figures.late())));
    }

    private static List<String> times(String name, Latencies.Percentiles of) {
        return List.of(
                name,
                format("%.1f", of.p50Millis()),
                format("%.1f", of.p90Millis()),
                format("%.1f", of.p99Millis()),
                format("%.1f", of.maxMillis()));
    }

    @Override
    public ReportPage page(String command) {
        String text =
                "Each request looks its prompt up, streams back what is there, and writes the rest; each byte that came"
                        + " back was compared. The times of first block and restore begin with the lookup.";
        List<Figure> found = new ArrayList<>(List.of(table()));
        if (tiers != null) {
            found.addFirst(new Figure.Bars(
                    "Where blocks came from",
                    "of all blocks",
                    List.of(
                            bar("memory", tiers.memoryHitRatio()),
                            bar("disk", tiers.diskHitRatio()),
                            bar("storage", tiers.storageHitRatio()))));
        }
        return new ReportPage(
                "Trace replay",
                summary(),
                List.of(
                        new ReportPage.Section("Hit ratio", text, found),
                        new ReportPage.Section("Times", String.join("\n\n", figures.breaches()), List.of(times()))));
    }

    private static Figure.Bar bar(String name, double value) {
        return new Figure.Bar("hit ratio", name, value, value, value);
    }

    private static void row(List<List<String>> rows, String name, String format, Object... arguments) {
        rows.add(List.of(name, format(format, arguments)));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? format("%.0f", value) : Double.toString(value);
    }
}
