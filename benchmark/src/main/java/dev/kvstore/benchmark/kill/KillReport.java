package dev.kvstore.benchmark.kill;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.Locale;

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

    /** Whether nothing was lost, and something could have been. */
    @Override
    public boolean holds() {
        return lostAckedBlocks == 0
                && tornBlocksServed == 0
                && damagedInFlight == 0
                && presenceMissed == 0
                && ackedBlocks > 0
                && inFlightAtKill > 0
                && diskTierRecovered > 0;
    }

    @Override
    public String text() {
        return String.format(
                Locale.ROOT,
                """
                %d kills in %.0f s, each in the middle of writes (seed %d)
                acknowledged            %d blocks, %.0f MB; under way when killed: %d blocks
                lost, though acked      %d
                torn blocks served      %d
                damaged in storage      %d
                missed by Lookup        %d (of %d lookups right after restarts)
                read and compared       %d blocks
                disk tier               knew blocks of before after %d restarts, served some after %d
                ready after a kill      p50 %.0f ms, p90 %.0f ms, longest %.0f ms
                %s
                """,
                kills,
                seconds,
                seed,
                ackedBlocks,
                ackedBytes / MEGABYTE,
                inFlightAtKill,
                lostAckedBlocks,
                tornBlocksServed,
                damagedInFlight,
                presenceMissed,
                checkedLookups,
                checkedReads,
                diskTierRecovered,
                diskTierServed,
                ready.p50Millis(),
                ready.p90Millis(),
                ready.maxMillis(),
                holds() ? "Nothing acknowledged was lost." : "FAILED: this must not be, or nothing was proved.");
    }

    @Override
    public ReportPage page(String command) {
        return KillPage.of(this);
    }
}
