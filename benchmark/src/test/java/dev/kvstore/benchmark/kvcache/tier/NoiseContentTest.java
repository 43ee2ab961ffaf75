package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stamps are looked at in whatever parts an entry arrives. */
class NoiseContentTest {
    private static final int BYTES = 3 * NoiseContent.PAGE_BYTES + 20;

    private static final NoiseContent CONTENT = new NoiseContent(1);

    private final EntryBytes blob = new EntryBytes(1, NoiseContent.seed("a"), BYTES);
    private final byte[] bytes = new byte[BYTES];

    /** Looks at all of it in parts of so many bytes. */
    private long firstWrong(int part) {
        for (int at = 0; at < BYTES; at += part) {
            int length = Math.min(part, BYTES - at);
            long wrong = NoiseContent.firstWrong(
                    blob, at, MemorySegment.ofArray(bytes).asSlice(at, length));
            if (wrong >= 0) {
                return wrong;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 16, 4_095, 4_096, 4_097, 9_000, BYTES})
    void findsNothingWrongInWhatWasMade(int part) {
        CONTENT.fill(blob, 0, MemorySegment.ofArray(bytes));

        assertThat(firstWrong(part)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 16, 4_095, 4_096, 4_097, 9_000, BYTES})
    void findsEachByteOfAStampThatChanged(int part) {
        SplittableRandom random = new SplittableRandom(part);
        for (int i = 0; i < 100; i++) {
            int page = random.nextInt(4) * NoiseContent.PAGE_BYTES;
            CONTENT.fill(blob, 0, MemorySegment.ofArray(bytes));
            bytes[page + random.nextInt(16)] ^= 1;

            assertThat(firstWrong(part)).isEqualTo(page);
        }
    }
}
