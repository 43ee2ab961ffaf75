package dev.kvstore.benchmark.kill;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The findings, with the names that the JSON has.
 *
 * @param kills by SIGKILL, each in the middle of writes
 * @param ackedBlocks acknowledged to a writer
 * @param inFlightAtKill blocks that writers had handed over and no one had acknowledged, all kills together
 * @param lostAckedBlocks acknowledged, and afterwards missing or damaged
 * @param tornBlocksServed read with other bytes than were written, acknowledged or not
 * @param damagedInFlight not acknowledged, and found damaged in storage
 * @param presenceMissed acknowledged, and not counted by a lookup right after the restart
 * @param diskTierRecovered restarts after which the disk tier knew blocks of before
 * @param diskTierServed restarts after which blocks came from the disk tier
 * @param ready from a restart until the data plane takes work
 * @param checkedReads blocks read and compared, byte for byte
 * @param checkedLookups lookups of acknowledged prompts
 */
record KillReport(
        long seed,
        int kills,
        long ackedBlocks,
        long ackedBytes,
        long inFlightAtKill,
        long lostAckedBlocks,
        long tornBlocksServed,
        long damagedInFlight,
        long presenceMissed,
        int diskTierRecovered,
        int diskTierServed,
        Latencies.Percentiles ready,
        long checkedReads,
        long checkedLookups,
        double seconds)
        implements BenchReport {
    private static final double MEGABYTE = 1e6;

    private static final List<Column<KillReport>> LOSSES = List.of(
            Column.of("acknowledged, and lost", KillReport::lostAckedBlocks),
            Column.of("served with other bytes than were written", KillReport::tornBlocksServed),
            Column.of("not acknowledged, and found damaged in storage", KillReport::damagedInFlight),
            Column.of("acknowledged, and missed by a lookup after the restart", KillReport::presenceMissed));

    private static final List<Column<KillReport>> TRIALS = List.of(
            Column.of("blocks acknowledged", KillReport::ackedBlocks),
            Column.of("of that many", "MB", report -> report.ackedBytes / MEGABYTE),
            Column.of("blocks under way when killed", KillReport::inFlightAtKill),
            Column.of("blocks read and compared", KillReport::checkedReads),
            Column.of("lookups right after restarts", KillReport::checkedLookups),
            Column.of("restarts after which the disk tier knew blocks of before", KillReport::diskTierRecovered),
            Column.of("restarts after which it served some", KillReport::diskTierServed));

    /** Nothing was lost, and something could have been. */
    @Override
    public List<String> failures() {
        List<String> failures = new ArrayList<>();
        if (lostAckedBlocks + tornBlocksServed + damagedInFlight + presenceMissed > 0) {
            failures.add("blocks were lost, damaged or missed");
        }
        if (ackedBlocks == 0 || inFlightAtKill == 0 || diskTierRecovered == 0) {
            failures.add("nothing was proved: no block was acknowledged, under way, or on the disk tier");
        }
        return failures;
    }

    @Override
    public ReportPage page(String command) {
        return new ReportPage(
                "Kill",
                "%d kills in %.0f s, each in the middle of writes: %s"
                        .formatted(
                                kills,
                                seconds,
                                holds()
                                        ? "nothing acknowledged was lost."
                                        : "something was lost or damaged, or nothing was proved."),
                List.of(
                        new ReportPage.Section(
                                "What must be zero", "", List.of(Figure.Table.facts("Blocks", LOSSES, this))),
                        new ReportPage.Section(
                                "What it was tried with",
                                "",
                                List.of(Figure.Table.facts("Seed " + seed, TRIALS, this))),
                        new ReportPage.Section(
                                "After a kill",
                                "",
                                List.of(LatencyTable.of(
                                        "From a restart until it takes work", Map.of("ready", ready))))));
    }
}
