package dev.kvstore.benchmark.warming;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Failures;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Table;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.warming.HitFigures.RegionHits;
import dev.kvstore.benchmark.warming.PaceFigures.WithAndWithout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The worth and the cost of warming, with the names that the JSON has.
 *
 * @param hits null if that was not measured
 * @param pace null if that was not measured
 * @param goals whether the goals are meant to be reached, and not only all to be whole
 */
record WarmingReport(
        @JsonUnwrapped @Nullable HitFigures hits, @Nullable PaceFigures pace, boolean goals) implements BenchReport {
    /**
     * A goal, and what was found.
     *
     * @param bound the least, or the most if {@code atMost}
     */
    record WarmingGoal(String text, Spread found, double bound, boolean atMost) {
        private static WarmingGoal atLeast(String text, double found, double least) {
            return new WarmingGoal(text, Spread.of(found), least, false);
        }

        boolean isReached() {
            return atMost ? found.median() <= bound : found.median() >= bound;
        }
    }

    private static final List<Column<WarmingGoal>> GOALS = List.of(
            Column.of("goal", WarmingGoal::text),
            Column.of("wanted", goal -> (goal.atMost() ? "<= " : ">= ") + goal.bound()),
            Column.of("found", WarmingGoal::found),
            Column.of("", goal -> goal.isReached() ? "" : "missed"));

    private static final List<Column<WithAndWithout>> PAIRS = List.of(
            Column.of("of its bytes per second", WithAndWithout::share),
            Column.of("home, without", "ms", WithAndWithout::homeWithout),
            Column.of("with", "ms", WithAndWithout::homeWith),
            Column.of("other region, without", "ms", WithAndWithout::awayWithout),
            Column.of("with", "ms", WithAndWithout::awayWith));

    private static List<Column<RegionHits>> shares(HitFigures hits) {
        return List.of(
                Column.of("given", RegionHits::share),
                Column.of("blocks", RegionHits::copiedBlocks),
                Column.of("in", "s", RegionHits::seconds),
                Column.of("hit ratio", RegionHits::half),
                Column.of("first 10 min", RegionHits::firstMinutes),
                Column.of("kept", region -> hits.kept(region.share(), false)),
                Column.of("kept in first 10 min", region -> hits.kept(region.share(), true)));
    }

    private List<WarmingGoal> allGoals() {
        List<WarmingGoal> all = new ArrayList<>();
        if (hits != null) {
            all.add(WarmingGoal.atLeast(
                    "hits kept by the hottest 25 %, of those that everything adds",
                    hits.kept(WarmedShare.HOT_25, false), 0.6));
            all.add(WarmingGoal.atLeast("the same in the first ten minutes", hits.kept(WarmedShare.HOT_25, true), 0.7));
            all.add(WarmingGoal.atLeast("hits kept by the hottest 40 %", hits.kept(WarmedShare.HOT_40, false), 0.8));
        }
        if (pace != null) {
            all.add(WarmingGoal.atLeast("of its bytes per second that warming copies", pace.budgetUsed(), 0.85));
            all.add(new WarmingGoal("p99 of clients at home, with warming over without", pace.home(), 1.25, true));
            all.add(new WarmingGoal("the same in the other region", pace.away(), 1.25, true));
        }
        return all;
    }

    @Override
    public List<String> failures() {
        Failures failures = new Failures();
        if (hits != null) {
            hits.regions()
                    .forEach(region -> failures.when(
                            region.flaws() > 0,
                            "%d blocks or requests went wrong with %s",
                            region.flaws(),
                            region.share()));
        }
        if (pace != null) {
            failures.when(
                    pace.failedRequests() > 0, "%d requests of clients failed beside warming", pace.failedRequests());
        }
        allGoals()
                .forEach(goal -> failures.when(
                        goals && !goal.isReached(),
                        "%s: %.3f, not %.2f at %s",
                        goal.text(),
                        goal.found().median(),
                        goal.bound(),
                        goal.atMost() ? "most" : "least"));
        return failures.list();
    }

    @Override
    public ReportPage page(String command) {
        List<ReportPage.Section> sections = new ArrayList<>();
        sections.add(new ReportPage.Section("Goals", "", List.of(Table.of("", GOALS, allGoals()))));
        if (hits != null) {
            String stored = "%s%n%n%,d blocks stored at home, %,d of them known to be used; hit ratio there %.4f"
                    .formatted(hits.trace().text(), hits.storedBlocks(), hits.hotBlocks(), hits.homeRatio());
            sections.add(new ReportPage.Section(
                    "What is found after traffic has moved",
                    stored,
                    List.of(hitRatios(hits), Table.of("Share of blocks found", shares(hits), hits.regions()))));
        }
        if (pace != null) {
            String how = "Regions %d ms apart, storage %d/%d ms away, %,d bytes per second allowed."
                    .formatted(pace.roundTripMillis(), pace.getMillis(), pace.putMillis(), pace.bytesPerSecond());
            sections.add(new ReportPage.Section(
                    "What clients notice",
                    how,
                    List.of(Table.of("p99 of clients, a while without warming and one with it", PAIRS, pace.pairs()))));
        }
        return new ReportPage("Warming", "", sections);
    }

    private static Figure.Bars hitRatios(HitFigures hits) {
        return new Figure.Bars(
                "Share of blocks that lookups find, by what the region was given",
                "",
                hits.regions().stream()
                        .flatMap(region -> Stream.of(
                                Figure.Bar.of(region.share().toString(), "second half", region.half()),
                                Figure.Bar.of(
                                        region.share().toString(), "its first ten minutes", region.firstMinutes())))
                        .toList());
    }
}
