package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;

/**
 * Everything that was found, with the names that the JSON has. Bytes are bytes, MB are 10^6 of them.
 *
 * @param connections of the client, all its threads together
 */
record MainJobReport(
        String system,
        int processors,
        String java,
        int blockBytes,
        int connections,
        double measuredSeconds,
        double warmUpSeconds,
        List<ServerFigures> servers,
        List<OperationSeries> series)
        implements BenchReport {
    @Override
    public String text() {
        return MainJobTable.of(this);
    }

    @Override
    public ReportPage page(String command) {
        return MainJobPage.of(this);
    }

    /**
     * The data plane.
     *
     * @param startMillis from the start of its process to ready
     * @param idleBytes resident when it had just become ready
     * @param loadedBytes resident after everything
     * @param blockBytesInMemory of these, what its memory tier held then
     */
    record ServerFigures(
            String storage, double startMillis, long idleBytes, long loadedBytes, double blockBytesInMemory) {}
}
