package dev.kvstore.protocol.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.Vectors;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds block identity to what is published for every language. */
class BlockHashVectorsTest {
    static List<Vectors.Chain> chains() {
        return Vectors.chains();
    }

    @ParameterizedTest
    @MethodSource("chains")
    void aPartitionHasThePublishedRoot(Vectors.Chain vector) {
        assertThat(vector.partition().getBytes(UTF_8)).asHexString().isEqualToIgnoringCase(vector.partitionUtf8());
        assertThat(Partition.of(vector.partition(), vector.blockTokens()).root().hex())
                .isEqualTo(vector.root());
    }

    @ParameterizedTest
    @MethodSource("chains")
    void aPromptHasThePublishedNames(Vectors.Chain vector) {
        BlockChain chain = chain(vector);

        assertThat(chain.root().hex()).isEqualTo(vector.root());
        assertThat(chain.size()).isEqualTo(vector.blocks().size());
        for (int i = 0; i < chain.size(); i++) {
            assertThat(chain.hash(i).hex()).isEqualTo(vector.blocks().get(i).hash());
        }
    }

    @ParameterizedTest
    @MethodSource("chains")
    void aBlockHasThePublishedLocation(Vectors.Chain vector) {
        BlockChain chain = chain(vector);

        for (int i = 0; i < chain.size(); i++) {
            byte[] wire = HexFormat.of().parseHex(vector.blocks().get(i).location());
            assertThat(WireNames.field(chain.location(i)).toByteArray()).isEqualTo(wire);
            assertThat(WireNames.location(ByteString.copyFrom(wire))).isEqualTo(chain.location(i));
        }
    }

    private static BlockChain chain(Vectors.Chain vector) {
        List<ByteBuffer> extras = vector.blocks().stream()
                .map(block -> ByteBuffer.wrap(HexFormat.of().parseHex(block.extra())))
                .toList();
        return BlockChain.of(Partition.of(vector.partition(), vector.blockTokens()), vector.ids(), extras);
    }
}
