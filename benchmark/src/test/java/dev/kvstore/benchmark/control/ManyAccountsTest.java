package dev.kvstore.benchmark.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The accounts of a run, of which there are many. */
class ManyAccountsTest {
    private final ManyAccounts many = new ManyAccounts(100_000);

    @Test
    void haveNamesInTheOrderOfTheirNumbers() {
        assertThat(IntStream.range(0, many.count()).mapToObj(many::name))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 1_999, 2_500, 100_000})
    void areRegisteredOverRestAThousandOrSomeMore(int count) {
        ManyAccounts some = new ManyAccounts(count);

        assertThat(some.overRest().count()).isBetween(1_000L, 1_999L);
    }

    @Test
    void areMadeAfterOneThatWasRegisteredOverRest() {
        assertThat(IntStream.range(0, many.count()).map(many::model)).allMatch(many::isOverRest);
    }

    @Test
    void areDeletedOnlyIfTheyWereNotRegisteredOverRest() {
        assertThat(IntStream.range(0, many.count()).filter(many::isDeleted).count())
                .isEqualTo(1_000);
        assertThat(many.overRest()).noneMatch(many::isDeleted);
    }

    @Test
    void belongToManyTenantsAlikeAndToOneThatHasFew() {
        assertThat(ManyAccounts.tenants()).hasSize(ManyAccounts.TENANTS).contains(ManyAccounts.tenant(3));
        assertThat(IntStream.range(0, many.count())
                        .filter(i -> ManyAccounts.tenant(i).equals(ManyAccounts.FEW))
                        .count())
                .isEqualTo(10);
    }
}
