package dev.kvstore.benchmark.kill;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Map;

/** A report as a page: the losses, which must be none, and the load under which that was tried. */
final class KillPage {
    private static final double MEGABYTE = 1e6;

    private KillPage() {}

    static ReportPage of(KillReport report) {
        String summary = "%s kills in %s s, each in the middle of writes: %s"
                .formatted(
                        text(report.kills()),
                        text(Math.rint(report.seconds())),
                        report.holds()
                                ? "nothing acknowledged was lost."
                                : "something was lost or damaged, or nothing was proved.");
        return new ReportPage(
                "Kill",
                summary,
                List.of(
                        new ReportPage.Section("What must be zero", "", List.of(losses(report))),
                        new ReportPage.Section("What it was tried with", "", List.of(trials(report))),
                        new ReportPage.Section(
                                "After a kill",
                                "",
                                List.of(LatencyTable.of(
                                        "From a restart until it takes work", Map.of("ready", report.ready()))))));
    }

    private static Figure.Table losses(KillReport report) {
        return Figure.Table.facts(
                "Blocks",
                "acknowledged, and lost",
                text(report.lostAckedBlocks()),
                "served with other bytes than were written",
                text(report.tornBlocksServed()),
                "not acknowledged, and found damaged in storage",
                text(report.damagedInFlight()),
                "acknowledged, and missed by a lookup after the restart",
                text(report.presenceMissed()));
    }

    private static Figure.Table trials(KillReport report) {
        return Figure.Table.facts(
                "Seed " + report.seed(),
                "blocks acknowledged",
                text(report.ackedBlocks()),
                "of that many MB",
                text(report.ackedBytes() / MEGABYTE),
                "blocks under way when killed",
                text(report.inFlightAtKill()),
                "blocks read and compared",
                text(report.checkedReads()),
                "lookups right after restarts",
                text(report.checkedLookups()),
                "restarts after which the disk tier knew blocks of before",
                text(report.diskTierRecovered()),
                "restarts after which it served some",
                text(report.diskTierServed()));
    }
}
