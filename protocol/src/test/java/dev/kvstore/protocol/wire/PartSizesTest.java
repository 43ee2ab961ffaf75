package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartSizesTest {
    @Test
    void whoAsksForNothingGetsASegment() {
        assertThat(PartSizes.bytes(0)).isEqualTo(131_072);
    }

    @ParameterizedTest
    @CsvSource({"4096, 4096", "131071, 131071", "131072, 131072", "262143, 131072", "262144, 262144", "4194304, 4194304"
    })
    void fromASegmentUpAPartIsWholeSegments(int wanted, int granted) {
        assertThat(PartSizes.bytes(wanted)).isEqualTo(granted);
    }

    @Property
    void nobodyGetsMoreThanWasAskedForNorLessThanHalf(@ForAll @IntRange(min = 4096, max = 4_194_304) int wanted) {
        assertThat(PartSizes.bytes(wanted)).isBetween(wanted / 2 + 1, wanted);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4095, 4_194_305, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void anythingElseIsRefusedByName(int wanted) {
        assertThatThrownBy(() -> PartSizes.bytes(wanted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("max_part_bytes: must be 0 or 4096 to 4194304, not " + Integer.toUnsignedString(wanted));
    }
}
