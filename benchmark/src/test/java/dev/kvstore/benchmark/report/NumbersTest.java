package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link Numbers}. */
class NumbersTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0",
                "-0.0 | 0",
                "7 | 7",
                "0.04445 | 0.04445",
                "0.123456 | 0.1235",
                "12.3456 | 12.35",
                "-12.3456 | -12.35",
                "999.96 | 1,000",
                "1000.4 | 1,000",
                "1200000 | 1,200,000",
                "0.00001 | 0.00001",
                "1e18 | 1.000e+18",
                "NaN | \u2013",
                "-Infinity | \u2013",
            })
    void areWholeFromAThousandAndHaveFourDigitsBelow(double value, String text) {
        assertThat(Numbers.text(value)).isEqualTo(text);
    }

    @Test
    void aRangeStandsBehindItsValue() {
        assertThat(Numbers.text(910, 880.4, 940)).isEqualTo("910 (880.4\u2013940)");
    }

    @Test
    void aRangeOfNothingIsLeftOut() {
        assertThat(Numbers.text(910, 910, 910)).isEqualTo("910");
    }
}
