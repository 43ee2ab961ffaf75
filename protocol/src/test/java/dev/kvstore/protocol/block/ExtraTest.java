package dev.kvstore.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.protocol.Vectors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tagged form of extra, as it is published for every language. */
class ExtraTest {
    private static final byte[] X = {'x'};

    static List<Vectors.ExtraVector> said() {
        return Vectors.extras().stream().filter(vector -> !vector.refused()).toList();
    }

    static List<Vectors.ExtraVector> refused() {
        return Vectors.extras().stream().filter(Vectors.ExtraVector::refused).toList();
    }

    @ParameterizedTest
    @MethodSource("said")
    void statementsHaveThePublishedBytes(Vectors.ExtraVector vector) {
        Extra extra = build(vector.statements());

        assertThat(extra.toByteArray()).asHexString().isEqualToIgnoringCase(vector.bytes());
        assertThat(extra.isEmpty()).isEqualTo(vector.statements().isEmpty());
        assertThat(Extra.parse(extra.toByteBuffer())).isEqualTo(extra);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void bytesThatNoStatementsHaveAreRefused(Vectors.ExtraVector vector) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(vector.bytes()));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Extra.parse(bytes))
                .withMessageStartingWith("extra: ");
        assertThat(bytes.position()).isZero();
    }

    private static Extra build(List<Vectors.ExtraStatement> statements) {
        ExtraBuilder builder = Extra.builder();
        for (Vectors.ExtraStatement said : statements) {
            byte[] value = HexFormat.of().parseHex(said.value());
            switch (said.kind()) {
                case "adapter" -> builder.adapter(value);
                case "salt" -> builder.salt(value);
                case "image" -> builder.image(said.firstToken(), said.tokens(), value);
                case "audio" -> builder.audio(said.firstToken(), said.tokens(), value);
                case "video" -> builder.video(said.firstToken(), said.tokens(), value);
                case "embedding" -> builder.embedding(said.firstToken(), said.tokens(), value);
                case "other" -> builder.other(said.label(), value);
                default -> throw new IllegalArgumentException(said.kind());
            }
        }
        return builder.build();
    }

    @Test
    void whatIsSaidTwiceIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Extra.builder().adapter(X).adapter(X).build())
                .withMessage("extra: adapter is given twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Extra.builder().other("a", X).other("a", new byte[0]).build())
                .withMessage("extra: other is given twice");
    }

    @Test
    void aValueThatBreaksItsRuleIsRefusedAtOnce() {
        ExtraBuilder builder = Extra.builder();

        assertThatIllegalArgumentException().isThrownBy(() -> builder.salt(new byte[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.image(-1, 1, X));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.image(Integer.MAX_VALUE, 8192, X));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.image(0, 1, new byte[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.other("É", X));
        assertThat(builder.build().isEmpty()).isTrue();
    }

    @Test
    void theWholeHasAtMost65536Bytes() {
        Extra longest = Extra.builder().salt(new byte[65_530]).build();
        ExtraBuilder longer = Extra.builder().salt(new byte[65_531]);
        ByteBuffer tooLong =
                ByteBuffer.allocate(65_537).put(longest.toByteBuffer()).position(0);
        tooLong.order(ByteOrder.LITTLE_ENDIAN).putInt(2, 65_531);

        assertThat(longest.toByteArray()).hasSize(Extra.MAX_BYTES);
        assertThat(Extra.parse(longest.toByteBuffer())).isEqualTo(longest);
        assertThatIllegalArgumentException().isThrownBy(longer::build).withMessageContaining("65537 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Extra.parse(tooLong))
                .withMessageContaining("65537 bytes");
    }

    @Test
    void aSaltIsNotShown() {
        assertThat(Extra.builder().salt(new byte[] {'s', 'e', 'c'}).build()).hasToString("[salt of 3 bytes]");
    }
}
