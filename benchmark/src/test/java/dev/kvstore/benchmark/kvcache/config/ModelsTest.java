package dev.kvstore.benchmark.kvcache.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.RecordedFigures;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes of entries as the original reckons them. */
class ModelsTest {
    private static final int MOST_TOKENS = 25_000;
    private static final int[] TENSOR_PARALLEL = {1, 2, 4, 8};

    private static final Map<String, Model> MODELS = Model.known();

    static List<List<String>> recorded() {
        return RecordedFigures.words("bytes.txt");
    }

    @Test
    void knowsTheNineModels() {
        assertThat(MODELS.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        recorded().stream().map(List::getFirst).toList());
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void aTokenTakesTheSameBytes(List<String> recorded) {
        assertThat(model(recorded).bytesPerToken()).isEqualTo(Long.parseLong(recorded.get(1)));
    }

    /** For 1 to 25,000 tokens on 1, 2, 4 and 8 ranks. */
    @ParameterizedTest
    @MethodSource("recorded")
    void anEntryOfAnyLengthTakesTheSameBytesOnAnyRank(List<String> recorded) {
        ByteBuffer sizes = ByteBuffer.allocate(TENSOR_PARALLEL.length * MOST_TOKENS * Long.BYTES);
        for (int ranks : TENSOR_PARALLEL) {
            for (int tokens = 1; tokens <= MOST_TOKENS; tokens++) {
                sizes.putLong(model(recorded).entryBytes(tokens, ranks));
            }
        }

        assertThat(RecordedFigures.digest(sizes.array())).isEqualTo(recorded.get(2));
    }

    private static Model model(List<String> recorded) {
        return Objects.requireNonNull(MODELS.get(recorded.getFirst()));
    }
}
