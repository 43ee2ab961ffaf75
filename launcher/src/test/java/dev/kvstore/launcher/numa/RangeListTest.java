package dev.kvstore.launcher.numa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RangeListTest {
    @Test
    void rangesAndSingleNumbersMix() {
        assertThat(RangeList.parse("0-3,8-11,14\n").numbers()).containsExactly(0, 1, 2, 3, 8, 9, 10, 11, 14);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "  \n"})
    void nothingIsTheEmptyList(String text) {
        assertThat(RangeList.parse(text)).isEqualTo(RangeList.NONE);
        assertThat(RangeList.NONE.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "1-", "-1", "3-1", "1,,2", "1-2-3", "0-99999999", "70000", "0x3", "1;2"})
    void whatIsNoListIsShown(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RangeList.parse(text))
                .withMessage("\"" + text + "\" is no list such as 0-3,8-11");
    }

    @Property
    void whatIsWrittenIsReadAgain(@ForAll Set<@IntRange(max = 300) Integer> numbers) {
        RangeList list = new RangeList(List.copyOf(numbers));

        assertThat(RangeList.parse(list.toString())).isEqualTo(list);
    }

    @Property
    void noTwoRangesTouch(@ForAll Set<@IntRange(max = 60) Integer> numbers) {
        String text = new RangeList(List.copyOf(numbers)).toString();

        String[] ranges = text.split(",", -1);
        for (int i = 1; i < ranges.length; i++) {
            assertThat(RangeList.parse(ranges[i]).numbers().getFirst())
                    .isGreaterThan(RangeList.parse(ranges[i - 1]).numbers().getLast() + 1);
        }
    }

    @Property
    void bothHaveWhatEachHas(
            @ForAll Set<@IntRange(max = 60) Integer> one, @ForAll Set<@IntRange(max = 60) Integer> other) {
        RangeList both = new RangeList(List.copyOf(one)).and(new RangeList(List.copyOf(other)));

        assertThat(both.numbers()).allMatch(one::contains).allMatch(other::contains);
        assertThat(one).filteredOn(other::contains).allMatch(both::contains);
    }
}
