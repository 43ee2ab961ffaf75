package dev.kvstore.benchmark.memory;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.Locale;

/**
 * The findings, with the names that the JSON has. Heap is the heap that is left after a collection.
 *
 * @param emptyHeapBytes of a data plane that knows one tenant and has served nothing
 * @param heapPerKnownTenant for a tenant of the accounts file that nobody has used, bytes
 * @param heapPerIdleTenant for one that has written and looked up a block, and then nothing for a while, bytes
 * @param heapPerBlock for a block kept in memory, that presence knows of, bytes
 * @param offHeapPerBlock of the memory for blocks, bytes
 */
record MemoryReport(
        int tenants,
        int blocks,
        int blockBytes,
        long emptyHeapBytes,
        double heapPerKnownTenant,
        double heapPerIdleTenant,
        double heapPerBlock,
        double offHeapPerBlock)
        implements BenchReport {
    @Override
    public String text() {
        return String.format(
                Locale.ROOT,
                """
                heap of an empty data plane          %.1f MB
                heap per tenant that nobody used     %.0f bytes (of %d)
                heap per tenant that is idle         %.0f bytes (each with a block written and looked up)
                heap per block of %4d B in memory   %.0f bytes (of %d)
                off heap per block                   %.0f bytes
                """,
                emptyHeapBytes / 1e6,
                heapPerKnownTenant,
                tenants,
                heapPerIdleTenant,
                blockBytes,
                heapPerBlock,
                blocks,
                offHeapPerBlock);
    }

    @Override
    public ReportPage page(String command) {
        return MemoryPage.of(this);
    }
}
