package dev.kvstore.clusters.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Rules;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Lots: every control plane draws the same one, and accounts are spread evenly over them. */
class AccountHashTest {
    private static final int ACCOUNTS = 100_000;

    @Property(tries = 300)
    void anAccountHasOneLotAndAlwaysTheSame(@ForAll @StringLength(max = 63) String name) {
        assertThat(AccountHash.of(name)).isBetween(0, Rules.LOTS - 1).isEqualTo(AccountHash.of(name));
    }

    @Test
    void lotsAreThoseThatEarlierVersionsDrew() {
        // Control planes of two versions must agree while one takes the place of the other.
        assertThat(List.of("", "prod", "prod2", "Prod", "ünï").stream().map(AccountHash::of))
                .containsExactly(155, 342, 998, 697, 324);
    }

    @Test
    void accountsAreSpreadEvenlyOverLots() {
        int[] counts = new int[Rules.LOTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            counts[AccountHash.of("account-" + i)]++;
        }
        double expected = (double) ACCOUNTS / Rules.LOTS;
        double chiSquare = IntStream.of(counts)
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();

        // 1023 degrees of freedom: a fair spread is beyond this once in a million names.
        assertThat(chiSquare).isLessThan(1_250);
    }

    @Test
    void eachLotHasAnOrderOfItsOwn() {
        long[] tickets = IntStream.range(0, 200)
                .mapToLong(i -> AccountHash.ticket("cluster/p" + i))
                .toArray();
        Set<Integer> first = new HashSet<>();
        for (int lot = 0; lot < Rules.LOTS; lot++) {
            int of = lot;
            first.add(IntStream.range(0, tickets.length)
                    .boxed()
                    .min(Comparator.comparingLong(i -> AccountHash.rank(of, tickets[i])))
                    .orElseThrow());
        }

        // Of 200 data planes nearly every one comes first in one of 1024 lots.
        assertThat(first).hasSizeGreaterThan(185);
    }

    @Property(tries = 200)
    void aLotRanksEveryTicketOnce(@ForAll @IntRange(max = Rules.LOTS - 1) int lot) {
        assertThat(IntStream.range(0, 500)
                        .mapToLong(i -> AccountHash.rank(lot, AccountHash.ticket("p" + i)))
                        .distinct()
                        .count())
                .isEqualTo(500);
    }
}
