package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.RecordedFigures;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Percentiles and means of numpy 2.4, recorded for 1,000 lists. */
class NumpyStatisticsTest {
    private static final double[] PERCENTILES = {50, 95, 99, 99.9, 99.99};

    @Test
    void givesPercentilesAndMeansOfNumpyToTheLastBit() {
        List<String> different = RecordedFigures.words("percentiles.txt").stream()
                .filter(recorded ->
                        !digest(Integer.parseInt(recorded.getFirst())).equals(recorded.get(1)))
                .map(List::getFirst)
                .toList();

        assertThat(different).isEmpty();
    }

    /** The list is made as it was for numpy: from a random length on, whole numbers in every third. */
    private static String digest(int seed) {
        MersenneTwister random = new MersenneTwister(seed);
        double[] values = new double[(int) random.between(1, 400)];
        Arrays.setAll(values, _ -> random.uniform(0, 10));
        if (seed % 3 == 0) {
            Arrays.setAll(values, i -> Math.floor(values[i]));
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        ByteBuffer figures = ByteBuffer.allocate((PERCENTILES.length + 1) * Double.BYTES);
        for (double percentile : PERCENTILES) {
            figures.putDouble(DurationSamples.percentile(sorted, percentile));
        }
        figures.putDouble(DurationSamples.mean(values));
        return RecordedFigures.digest(figures.array());
    }
}
