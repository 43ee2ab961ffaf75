package dev.kvstore.benchmark.warming;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
     * @param least or most, if {@code atMost}
     */
    record WarmingGoal(String text, double found, double least, boolean atMost) {
        boolean isReached() {
            return atMost ? found <= least : found >= least;
        }
    }

    List<WarmingGoal> all() {
        List<WarmingGoal> all = new ArrayList<>();
        if (hits != null) {
            all.add(new WarmingGoal(
                    "hits kept by the hottest 25 %, of those that everything adds",
                    hits.kept("Hot25", false), 0.6, false));
            all.add(new WarmingGoal("the same in the first ten minutes", hits.kept("Hot25", true), 0.7, false));
            all.add(new WarmingGoal("hits kept by the hottest 40 %", hits.kept("Hot40", false), 0.8, false));
        }
        if (pace != null) {
            all.add(new WarmingGoal("of its bytes per second that warming copies", pace.budgetUsed(), 0.85, false));
            all.add(new WarmingGoal(
                    "p99 of clients at home, with warming over without", pace.homeP99Ratio(), 1.25, true));
            all.add(new WarmingGoal("the same in the other region", pace.awayP99Ratio(), 1.25, true));
        }
        return all;
    }

    /** The promises that did not hold. */
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        if (hits != null) {
            hits.regions().stream()
                    .filter(region -> region.flaws() > 0)
                    .map(region -> region.flaws() + " blocks or requests went wrong with "
                            + region.share().text())
                    .forEach(breaches::add);
        }
        if (pace != null && pace.failedRequests() > 0) {
            breaches.add(pace.failedRequests() + " requests of clients failed beside warming");
        }
        if (goals) {
            all().stream()
                    .filter(goal -> !goal.isReached())
                    .map(goal -> String.format(
                            Locale.ROOT,
                            "%s: %.3f, not %.2f at %s",
                            goal.text(),
                            goal.found(),
                            goal.least(),
                            goal.atMost() ? "most" : "least"))
                    .forEach(breaches::add);
        }
        return List.copyOf(breaches);
    }

    @Override
    public boolean holds() {
        return breaches().isEmpty();
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        if (hits != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s%n%,d blocks stored at home, %,d of them known to be used; hit ratio there %.4f%n%n",
                    hits.trace().text(),
                    hits.storedBlocks(),
                    hits.hotBlocks(),
                    hits.homeRatio()));
            text.append(String.format(
                    Locale.ROOT,
                    "%-18s %10s %10s %12s %14s %8s%n",
                    "given",
                    "blocks",
                    "in (s)",
                    "hit ratio",
                    "first 10 min",
                    "kept"));
            for (HitFigures.RegionHits region : hits.regions()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-18s %,10d %10.1f %12.4f %14.4f %8.3f%n",
                        region.share().text(),
                        region.copiedBlocks(),
                        region.seconds(),
                        region.half(),
                        region.firstMinutes(),
                        hits.kept(region.name(), false)));
            }
        }
        if (pace != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%nRegions %d ms apart, storage %d/%d ms away, %,d bytes per second allowed; medians of %d pairs%n",
                    pace.roundTripMillis(),
                    pace.getMillis(),
                    pace.putMillis(),
                    pace.bytesPerSecond(),
                    pace.pairs().size()));
        }
        text.append(String.format("%n%-64s %8s %8s%n", "goal", "wanted", "found"));
        all().forEach(goal -> text.append(String.format(
                Locale.ROOT,
                "%-64s %s %.2f %8.3f%s%n",
                goal.text(),
                goal.atMost() ? "<=" : ">=",
                goal.least(),
                goal.found(),
                goal.isReached() ? "" : "  MISSED")));
        breaches().forEach(breach -> text.append("FAILED: ").append(breach).append('\n'));
        return text.toString();
    }

    @Override
    public ReportPage page(String command) {
        return WarmingPage.of(this);
    }
}
