package dev.kvstore.benchmark.affinity;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;

/** A report with charts: how even conversations lie, and what keeping them in place is worth. */
final class AffinityPage {
    private static final double PERCENT = 100;
    private static final List<String> COLUMNS = List.of(
            "shared blocks",
            "conversations",
            "processes",
            "fullest over even",
            "move when one dies (%)",
            "the dead one had (%)");

    private AffinityPage() {}

    static ReportPage of(AffinityReport report) {
        List<ReportPage.Section> sections = new ArrayList<>();
        sections.add(new ReportPage.Section(
                "How even they lie",
                "At most " + text(ConversationSpread.BOUND) + " of an even share is promised.",
                List.of(spreads(report.spreads()))));
        AffinityReplay replay = report.replay();
        if (replay != null) {
            sections.add(new ReportPage.Section(
                    "What it is worth",
                    "%s requests of %s blocks over %d processes that keep %s blocks each: affinity finds %s times what random routing does."
                            .formatted(
                                    text(replay.requests()),
                                    text(replay.blocks()),
                                    replay.processes(),
                                    text(replay.blocksPerProcess()),
                                    text(replay.timesRandom())),
                    List.of(new Figure.Bars(
                            "Blocks found in memory",
                            "% of all",
                            List.of(
                                    bar("by affinity", PERCENT * replay.affinityHits()),
                                    bar("at random", PERCENT * replay.randomHits()))))));
        }
        return new ReportPage(
                        "Affinity",
                        "How conversations spread over processes when the SDK keeps each on one of them.",
                        sections)
                .withFailures(report.breaches());
    }

    private static Bar bar(String name, double value) {
        return new Bar("", name, value, value, value);
    }

    private static Figure.Table spreads(List<ConversationSpread> spreads) {
        return new Figure.Table(
                "Conversations behind a shared system prompt",
                COLUMNS,
                spreads.stream()
                        .map(spread -> List.of(
                                text(spread.systemBlocks()),
                                text(spread.conversations()),
                                text(spread.processes()),
                                text(spread.mostOverEven()),
                                text(PERCENT * spread.movedWhenOneDies()),
                                text(PERCENT * spread.shareOfTheDead())))
                        .toList());
    }
}
