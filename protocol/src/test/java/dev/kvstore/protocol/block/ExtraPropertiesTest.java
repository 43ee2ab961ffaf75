package dev.kvstore.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Equal statements are equal bytes, and different ones different bytes. */
class ExtraPropertiesTest {
    /** A call of the builder. Few values, so that equal ones meet. */
    record Said(ExtraTag tag, int firstToken, int tokens, String value) {
        void to(ExtraBuilder builder) {
            byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
            switch (tag) {
                case ADAPTER -> builder.adapter(bytes);
                case SALT -> builder.salt(bytes);
                case IMAGE -> builder.image(firstToken, tokens, bytes);
                case AUDIO -> builder.audio(firstToken, tokens, bytes);
                case VIDEO -> builder.video(firstToken, tokens, bytes);
                case EMBEDDING -> builder.embedding(firstToken, tokens, bytes);
                case OTHER -> builder.other(value, bytes);
            }
        }

        /** The extra without the values that its kind does not use. */
        Said meant() {
            return switch (tag) {
                case ADAPTER, SALT, OTHER -> new Said(tag, 0, 0, value);
                case IMAGE, AUDIO, VIDEO, EMBEDDING -> this;
            };
        }
    }

    @Provide
    Arbitrary<Set<Said>> statements() {
        Arbitrary<Said> one = Combinators.combine(
                        Arbitraries.of(ExtraTag.class),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(1, 2),
                        Arbitraries.of("a", "b", "ab", "aa"))
                .as((tag, first, tokens, value) -> new Said(tag, first, tokens, value).meant());
        return one.set().ofMaxSize(5).filter(ExtraPropertiesTest::isPossible);
    }

    private static boolean isPossible(Set<Said> statements) {
        return List.of(ExtraTag.ADAPTER, ExtraTag.SALT).stream()
                .allMatch(tag ->
                        statements.stream().filter(said -> said.tag() == tag).count() <= 1);
    }

    private static Extra extra(Iterable<Said> statements) {
        ExtraBuilder builder = Extra.builder();
        statements.forEach(said -> said.to(builder));
        return builder.build();
    }

    @Property
    void theOrderOfStatementsMakesNoDifference(@ForAll("statements") Set<Said> statements, @ForAll long seed) {
        List<Said> shuffled = new ArrayList<>(statements);
        Collections.shuffle(shuffled, new Random(seed));

        assertThat(extra(shuffled).toByteArray()).isEqualTo(extra(statements).toByteArray());
    }

    @Property
    void differentStatementsHaveDifferentBytes(
            @ForAll("statements") Set<Said> statements, @ForAll("statements") Set<Said> others) {
        assertThat(extra(statements).equals(extra(others))).isEqualTo(statements.equals(others));
    }

    @Property
    void bytesThatAreAcceptedAreTheOnlyOnesOfTheirStatements(
            @ForAll("statements") Set<Said> statements, @ForAll long seed) {
        byte[] bytes = extra(statements).toByteArray();
        Random random = new Random(seed);
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= (byte) (1 << random.nextInt(8));
            try {
                Extra parsed = Extra.parse(ByteBuffer.wrap(changed));
                assertThat(parsed.toByteArray()).isEqualTo(changed).isNotEqualTo(bytes);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("extra: ");
            }
        }
    }
}
