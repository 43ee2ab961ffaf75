package dev.kvstore.benchmark.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.trace.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AffinityBenchTest {
    @TempDir
    Path folder;

    @Test
    void conversationsSpreadAndOnlyThoseOfTheDeadProcessMove() {
        ConversationSpread spread = ConversationSpread.measure(3, 2_000, 8, 1);
        assertThat(spread.mostOverEven()).isBetween(1.0, ConversationSpread.BOUND);
        assertThat(spread.movedWhenOneDies()).isEqualTo(spread.shareOfTheDead()).isBetween(0.05, 0.2);
    }

    @Test
    void aRepeatedPromptIsFoundAsFarAsItReaches() throws IOException {
        AffinityReplay replay = AffinityReplay.measure(trace("[1,2,3]", "[1,2,3,4]", "[1,2,9]"), 1, 100, 1);
        assertThat(replay.blocks()).isEqualTo(10);
        assertThat(replay.affinityHits()).isEqualTo(0.5);
        assertThat(replay.timesRandom()).isEqualTo(1);
    }

    @Test
    void theLeastRecentlyUsedBlockLeavesFirst() throws IOException {
        AffinityReplay replay = AffinityReplay.measure(trace("[1]", "[2]", "[1]", "[3]", "[1]", "[2]"), 1, 2, 1);
        assertThat(replay.affinityHits()).isEqualTo(2 / 6.0);
    }

    @Test
    void aBrokenBoundIsSaid() {
        AffinityReport report = new AffinityReport(
                List.of(new ConversationSpread(8, 10_000, 8, 1.26, 0.1, 0.1)),
                new AffinityReplay("a trace", 8, 2_500, 1, 10, 0.2, 0.1));
        assertThat(report.breaches()).hasSize(2);
        assertThat(report.text()).contains("FAILED: behind 8 shared blocks", "FAILED: affinity must find 3.0 times");
    }

    private Prompts trace(String... hashIds) throws IOException {
        Path file = folder.resolve("trace.jsonl");
        Files.write(
                file,
                Stream.of(hashIds)
                        .map(ids -> "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": " + ids
                                + "}")
                        .toList());
        return Prompts.of(new TraceFile(file, false));
    }
}
