package dev.kvstore.benchmark.kvcache.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.RecordedFigures;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers of CPython 3.11's {@code random.Random(seed)}, recorded for nine seeds. */
class MersenneTwisterTest {
    private static final long[][] RANGES = {{0, 0}, {1, 2}, {512, 4_096}, {0, 1L << 31}, {-5, 5}, {1, 1L << 40}};

    static List<List<String>> seeds() {
        return RecordedFigures.words("random.txt");
    }

    private static MersenneTwister of(List<String> recorded) {
        return new MersenneTwister(Long.parseLong(recorded.getFirst()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void drawsTheSameRealNumbersToTheLastBit(List<String> recorded) {
        MersenneTwister random = of(recorded);

        assertThat(List.of(
                        RecordedFigures.hex(random.real()),
                        RecordedFigures.hex(random.real()),
                        RecordedFigures.hex(random.real())))
                .containsExactly(recorded.get(1).split(",", -1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void drawsTheSameWholeNumbersFromRangesOfAnySize(List<String> recorded) {
        MersenneTwister random = of(recorded);
        List<String> drawn = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (long[] range : RANGES) {
                drawn.add(Long.toString(random.between(range[0], range[1])));
            }
        }

        assertThat(String.join(",", drawn)).isEqualTo(recorded.get(2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void drawsTheSameUniformNumbers(List<String> recorded) {
        MersenneTwister random = of(recorded);
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            drawn.add(RecordedFigures.hex(random.uniform(0.1, 0.5)));
        }

        assertThat(String.join(",", drawn)).isEqualTo(recorded.get(3));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void goesOnBeyondItsFirstState(List<String> recorded) {
        MersenneTwister random = of(recorded);
        for (int i = 0; i < 1_000; i++) {
            random.real();
        }

        assertThat(RecordedFigures.hex(random.real())).isEqualTo(recorded.get(4));
    }
}
