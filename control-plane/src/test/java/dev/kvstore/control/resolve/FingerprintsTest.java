package dev.kvstore.control.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link Fingerprints}: all that were added are there, and no others. */
class FingerprintsTest {
    @Test
    void whatWasAddedIsThereAndNothingElse() {
        SplittableRandom random = new SplittableRandom(1);
        long[] all = random.longs(120_000).toArray();
        Fingerprints fingerprints = new Fingerprints(java.util.Arrays.copyOf(all, 10_000));

        for (int i = 10_000; i < all.length; i++) {
            assertThat(fingerprints.has(all[i])).isFalse();
            fingerprints.add(all[i]);
            assertThat(fingerprints.has(all[i])).isTrue();
        }

        assertThat(all).allMatch(fingerprints::has);
        assertThat(fingerprints.size()).isEqualTo(all.length);
    }
}
