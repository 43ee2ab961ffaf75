package dev.kvstore.benchmark.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.trace.Survey;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WarmingReportTest {
    private static final Survey SURVEY = new Survey("a trace", 100, 1_000, 60, 0);

    @SuppressWarnings("EnumOrdinal") // the shares in their order
    private static HitFigures hits(long flaws, double... half) {
        List<HitFigures.RegionHits> regions = IntStream.range(0, half.length)
                .mapToObj(i ->
                        new HitFigures.RegionHits(WarmedShare.values()[i], 10L * i, 1.5, half[i], half[i] / 2, flaws))
                .toList();
        return new HitFigures(SURVEY, 4_096, 2, 100, 90, 0.3, regions);
    }

    private static PaceFigures pace(double share, double home, double away) {
        return new PaceFigures(
                80, 20, 40, 1_000, List.of(new PaceFigures.WithAndWithout(share, 10, 10 * home, 20, 20 * away)), 0);
    }

    private static WarmingReport report(@Nullable HitFigures hits, @Nullable PaceFigures pace) {
        return new WarmingReport(hits, pace, true);
    }

    @Test
    void theHitsThatAPartKeepsAreOfThoseThatEverythingAdds() {
        HitFigures hits = hits(0, 0.2, 0.25, 0.3, 0.35, 0.4);

        assertThat(hits.kept(WarmedShare.HOT_10, false)).isEqualTo(0.25, within(1e-9));
        assertThat(hits.kept(WarmedShare.HOT_25, true)).isEqualTo(0.5, within(1e-9));
        assertThat(hits.kept(WarmedShare.ALL, false)).isEqualTo(1, within(1e-9));
    }

    @Test
    void theJsonHasTheFiguresByTheirNames() {
        JsonNode json = new ObjectMapper().valueToTree(report(hits(0, 0.2, 0.25, 0.3, 0.35, 0.4), pace(0.9, 1.1, 1.2)));

        assertThat(json.path("hitRatioCold").asDouble()).isEqualTo(0.2);
        assertThat(json.path("hitRatioHot10").asDouble()).isEqualTo(0.25);
        assertThat(json.path("hitRatioHot25First10Minutes").asDouble()).isEqualTo(0.15);
        assertThat(json.path("hitRatioAll").asDouble()).isEqualTo(0.4);
        assertThat(json.path("keptHot40").asDouble()).isEqualTo(0.75, within(1e-9));
        assertThat(json.at("/pace/budgetUsed").asDouble()).isEqualTo(0.9);
        assertThat(json.at("/pace/awayP99Ratio").asDouble()).isEqualTo(1.2, within(1e-9));
    }

    @Test
    void whatReachesItsGoalsHolds() {
        assertThat(report(hits(0, 0.2, 0.3, 0.36, 0.38, 0.4), pace(0.9, 1.1, 1.2))
                        .failures())
                .isEmpty();
    }

    @Test
    void aGoalThatIsMissedIsNamedWithWhatWasFound() {
        assertThat(report(hits(0, 0.2, 0.25, 0.3, 0.35, 0.4), pace(0.5, 1.1, 1.3))
                        .failures())
                .hasSize(5)
                .anyMatch(breach ->
                        breach.startsWith("hits kept by the hottest 25 %") && breach.contains("0.500, not 0.60"))
                .anyMatch(breach -> breach.contains("0.500, not 0.85 at least"))
                .anyMatch(breach -> breach.contains("1.300, not 1.25 at most"));
    }

    @Test
    void aBlockThatWasWrongIsWorseThanAnyGoal() {
        assertThat(new WarmingReport(hits(2, 0.2, 0.25, 0.3, 0.35, 0.4), null, false).failures())
                .hasSize(5)
                .allMatch(breach -> breach.startsWith("2 blocks or requests went wrong"));
    }

    @Test
    void thePageHasAChartOfEach() {
        assertThat(report(hits(0, 0.2, 0.3, 0.36, 0.38, 0.4), pace(0.9, 1.1, 1.2))
                        .page("kv bench warming")
                        .toString())
                .contains("the hottest 25 %", "other region, without");
    }
}
