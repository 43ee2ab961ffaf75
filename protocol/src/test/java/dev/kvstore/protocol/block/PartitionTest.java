package dev.kvstore.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"a", " ", "../../etc", "org/model@v2;dtype=bf16", "modèle", "模型", "🦙", "\u00a0", "\ud83e\udd99x"
            })
    void anyTextWithoutControlCharactersNamesAPartition(String name) {
        Partition partition = Partition.of(name);

        assertThat(partition.name()).isEqualTo(name);
        assertThat(partition.blockTokens()).isEqualTo(128);
        assertThat(partition.root()).isEqualTo(new BlockHasher().root(128, name));
    }

    @Test
    void aNameIsNotEmpty() {
        assertThatThrownBy(() -> Partition.of(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("partition: must not be empty");
    }

    @Test
    void aNameHasAtMost512BytesHoweverManyCharactersTheyAre() {
        assertThat(Partition.of("x".repeat(512)).name()).hasSize(512);
        assertThat(Partition.of("é".repeat(256)).name()).hasSize(256);
        assertThat(Partition.of("🦙".repeat(128)).name()).hasSize(256);
        for (String tooLong : new String[] {"x".repeat(513), "é".repeat(256) + "x", "🦙".repeat(128) + "x"}) {
            assertThatThrownBy(() -> Partition.of(tooLong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("partition: must be at most 512 bytes of UTF-8");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "a\nb", "tab\t", "\u001f", "\u007f", "\u0085"})
    void controlCharactersAreRefused(String name) {
        assertThatThrownBy(() -> Partition.of(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("partition: must not contain control characters");
    }

    /** UTF-8 has no bytes for them: they would all turn into the same '?', and two partitions would meet. */
    @Test
    void halvesOfCharactersAreRefused() {
        char high = '\ud83e';
        char low = '\udd99';
        for (String name : new String[] {
            "" + high, "" + low, high + "x", "x" + low, "" + high + high + low, "" + high + low + low, "" + low + high
        }) {
            assertThatThrownBy(() -> Partition.of(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("partition: must be valid Unicode");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 8193, Integer.MIN_VALUE})
    void tokensPerBlockAreOneTo8192(int blockTokens) {
        assertThatThrownBy(() -> Partition.of("a", blockTokens))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("block_tokens: must be 1 to 8192, not " + Integer.toUnsignedString(blockTokens));
    }

    @Test
    void equalNamesWithOtherBlockSizesAreOtherPartitions() {
        assertThat(Partition.of("a", 1).root())
                .isNotEqualTo(Partition.of("a", 8192).root())
                .isNotEqualTo(Partition.of("b", 1).root());
    }
}
