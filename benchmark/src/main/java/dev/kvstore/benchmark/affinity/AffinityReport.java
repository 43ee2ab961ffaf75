package dev.kvstore.benchmark.affinity;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was measured, with the names that the JSON has.
 *
 * @param replay null if the trace was left out
 */
record AffinityReport(
        List<ConversationSpread> spreads, @Nullable AffinityReplay replay) implements BenchReport {
    @Override
    public boolean holds() {
        return breaches().isEmpty();
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (ConversationSpread spread : spreads) {
            text.append(String.format(
                    Locale.ROOT,
                    "%,d conversations behind %3d shared blocks, %d processes: the fullest has %.3f of even; when one dies"
                            + " %.1f %% move, and it had %.1f %%%n",
                    spread.conversations(),
                    spread.systemBlocks(),
                    spread.processes(),
                    spread.mostOverEven(),
                    100 * spread.movedWhenOneDies(),
                    100 * spread.shareOfTheDead()));
        }
        if (replay != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s: %,d requests of %,d blocks over %d processes that keep %,d each: %.1f %% in memory by affinity, %.1f %%"
                            + " at random, %.2f times%n",
                    replay.source(),
                    replay.requests(),
                    replay.blocks(),
                    replay.processes(),
                    replay.blocksPerProcess(),
                    100 * replay.affinityHits(),
                    100 * replay.randomHits(),
                    replay.timesRandom()));
        }
        breaches().forEach(breach -> text.append("FAILED: ").append(breach).append('\n'));
        return text.toString();
    }

    @Override
    public ReportPage page(String command) {
        return AffinityPage.of(this);
    }

    /** The promises that did not hold. */
    @JsonProperty
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        spreads.stream()
                .filter(spread -> !spread.holds())
                .forEach(spread -> breaches.add("behind " + spread.systemBlocks()
                        + " shared blocks: no process may have more than " + ConversationSpread.BOUND
                        + " of even, and only what the dead one had may move"));
        if (replay != null && !replay.holds()) {
            breaches.add("affinity must find " + AffinityReplay.BOUND + " times what random routing does");
        }
        return breaches;
    }
}
