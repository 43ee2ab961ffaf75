package dev.kvstore.benchmark.memory;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;

/** A report with a chart: what each tenant and each block takes. */
final class MemoryPage {
    private static final double MEGABYTE = 1e6;

    private MemoryPage() {}

    static ReportPage of(MemoryReport report) {
        String summary =
                "Measured with %s tenants, and with %s blocks of %s bytes. An empty data plane has %s MB of heap in use."
                        .formatted(
                                text(report.tenants()),
                                text(report.blocks()),
                                text(report.blockBytes()),
                                text(report.emptyHeapBytes() / MEGABYTE));
        return new ReportPage(
                "Memory",
                summary,
                List.of(new ReportPage.Section(
                        "For each",
                        "Heap is what is left after a collection.",
                        List.of(new Figure.Bars(
                                "Memory",
                                "bytes each",
                                List.of(
                                        bar("heap, tenant that nobody used", report.heapPerKnownTenant()),
                                        bar("heap, tenant that is idle", report.heapPerIdleTenant()),
                                        bar("heap, block in memory", report.heapPerBlock()),
                                        bar("off heap, block in memory", report.offHeapPerBlock())))))));
    }

    private static Bar bar(String name, double bytes) {
        return new Bar("", name, bytes, bytes, bytes);
    }
}
