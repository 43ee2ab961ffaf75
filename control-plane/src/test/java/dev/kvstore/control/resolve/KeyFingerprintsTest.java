package dev.kvstore.control.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** {@link KeyFingerprints}: all that were added are there, and no others. */
class KeyFingerprintsTest {
    @Test
    void whatWasAddedIsThereAndNothingElse() {
        SplittableRandom random = new SplittableRandom(1);
        long[] all = random.longs(120_000).toArray();
        KeyFingerprints fingerprints = new KeyFingerprints(Arrays.copyOf(all, 10_000));

        boolean early = false;
        boolean late = true;
        for (int i = 10_000; i < all.length; i++) {
            early |= fingerprints.has(all[i]);
            fingerprints.add(all[i]);
            late &= fingerprints.has(all[i]);
        }

        assertThat(early).isFalse();
        assertThat(late).isTrue();
        assertThat(LongStream.of(all).allMatch(fingerprints::has)).isTrue();
        assertThat(fingerprints.size()).isEqualTo(all.length);
    }
}
