package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.presence.PrefixSearch.Fit;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class PrefixSearchTest {
    @Property
    void findsTheLongestPrefixInALogarithmOfChecks(
            @ForAll @IntRange(max = 5000) int size,
            @ForAll @IntRange(max = 5000) int storedSeed,
            @ForAll @IntRange(max = 5000) int knownSeed)
            throws Exception {
        int stored = storedSeed % (size + 1);
        int known = knownSeed % (stored + 1);
        int[] checks = {0};

        int found = PrefixSearch.longest(size, i -> i == known - 1, i -> {
            checks[0]++;
            return i < stored;
        });

        assertThat(found).isEqualTo(stored);
        assertThat(checks[0]).isLessThanOrEqualTo(size == 0 ? 0 : ceilLog2(size) + 1);
    }

    @Property
    void asksNothingWhenTheLastBlockIsKnown(@ForAll @IntRange(min = 1, max = 5000) int size) throws Exception {
        int found = PrefixSearch.longest(size, i -> i == size - 1, i -> {
            throw new AssertionError("asked about " + i);
        });

        assertThat(found).isEqualTo(size);
    }

    @Property
    void aPrefixOfOneLengthEndsBeforeTheFirstOtherOne(
            @ForAll @IntRange(max = 5000) int size,
            @ForAll @IntRange(max = 5000) int fittingSeed,
            @ForAll @IntRange(max = 5000) int knownSeed)
            throws Exception {
        int fitting = fittingSeed % (size + 1);
        Fit[] known = new Fit[size];
        Arrays.fill(known, Fit.UNKNOWN);
        if (size > 0) {
            int one = knownSeed % size;
            known[one] = one < fitting ? Fit.FITS : Fit.OTHER;
        }
        int[] checks = {0};

        int found = PrefixSearch.longestOfLength(size, i -> known[i], i -> {
            checks[0]++;
            return i < fitting;
        });

        assertThat(found).isEqualTo(fitting);
        assertThat(checks[0]).isLessThanOrEqualTo(size == 0 ? 0 : ceilLog2(size) + 2);
    }

    @Property
    void aPrefixWhoseFirstBlockHasAnotherLengthIsEmpty(@ForAll @IntRange(min = 2, max = 5000) int size)
            throws Exception {
        int found = PrefixSearch.longestOfLength(size, _ -> Fit.UNKNOWN, i -> i > 0);

        assertThat(found).isZero();
    }

    @Property
    void aKnownBlockOfAnotherLengthEndsThePrefix(@ForAll @IntRange(min = 3, max = 5000) int size) throws Exception {
        int other = size / 2;

        int found = PrefixSearch.longestOfLength(size, i -> i == other ? Fit.OTHER : Fit.UNKNOWN, i -> i != other);

        assertThat(found).isEqualTo(other);
    }

    @Property
    void firstAndLastBlockMustBeKnownForAnAnswerWithoutACheck(@ForAll @IntRange(min = 1, max = 5000) int size) {
        List<Integer> ends = List.of(0, size - 1);

        assertThat(PrefixSearch.knownOfLength(size, i -> ends.contains(i) ? Fit.FITS : Fit.UNKNOWN))
                .isEqualTo(size);
        assertThat(PrefixSearch.knownOfLength(size, i -> i == 0 ? Fit.FITS : Fit.UNKNOWN))
                .isEqualTo(size == 1 ? 1 : -1);
        assertThat(PrefixSearch.knownOfLength(size, i -> i == size - 1 ? Fit.FITS : Fit.UNKNOWN))
                .isEqualTo(size == 1 ? 1 : -1);
    }

    private static int ceilLog2(int n) {
        return 32 - Integer.numberOfLeadingZeros(n - 1);
    }
}
