package dev.kvstore.protocol.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BlockChainTest {
    private static final ByteBuffer NO_EXTRA = ByteBuffer.allocate(0);
    private static final Partition PARTITION = Partition.of("model", 2);
    private static final Tokens PROMPT = Tokens.of(1, 2, 3, 4, 5, 6, 7);

    private final BlockChain chain = BlockChain.of(PARTITION, PROMPT);

    @Test
    void onlyWholeBlocksCount() {
        assertThat(chain.size()).isEqualTo(3);
        assertThat(BlockChain.of(PARTITION, Tokens.of(1)).size()).isZero();
        assertThat(WireNames.field(BlockChain.of(PARTITION, Tokens.of(1, 2, 3, 4, 5, 6))))
                .isEqualTo(WireNames.field(chain));
    }

    @Test
    void eachBlockHasTheOneBeforeAsItsParentAndTheFirstTheRoot() {
        assertThat(chain.parent(0)).isEqualTo(PARTITION.root()).isEqualTo(chain.root());
        assertThat(chain.parent(1)).isEqualTo(chain.hash(0));
        assertThat(chain.parent(2)).isEqualTo(chain.hash(1));
        assertThat(chain.location(2)).isEqualTo(new Location(PARTITION.root(), chain.hash(2)));
    }

    @Test
    void aChangeRenamesItsBlockAndAllThatFollow() {
        BlockChain other = BlockChain.of(PARTITION, Tokens.of(1, 2, 3, 0, 5, 6));

        assertThat(other.hash(0)).isEqualTo(chain.hash(0));
        assertThat(other.hash(1)).isNotEqualTo(chain.hash(1));
        assertThat(other.hash(2)).isNotEqualTo(chain.hash(2));
    }

    @Test
    void aPrefixHasTheFirstBlocks() {
        BlockChain prefix = chain.prefix(2);

        assertThat(prefix.size()).isEqualTo(2);
        assertThat(prefix.hash(1)).isEqualTo(chain.hash(1));
        assertThat(WireNames.field(prefix)).isEqualTo(WireNames.field(chain).substring(0, 64));
        assertThat(WireNames.field(prefix.prefix(1))).isEqualTo(WireNames.field(chain.hash(0)));
        assertThat(chain.prefix(0).size()).isZero();
        assertThatThrownBy(() -> chain.prefix(4)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aChainComputedElsewhereIsTheSame() {
        BlockChain received = WireNames.chain(PARTITION.root(), WireNames.field(chain));

        assertThat(received.size()).isEqualTo(3);
        assertThat(received.hash(2)).isEqualTo(chain.hash(2));
        assertThat(received.location(0)).isEqualTo(chain.location(0));
        assertThat(WireNames.chain(PARTITION.root(), ByteString.EMPTY).size()).isZero();
    }

    @Test
    void aChainIsReadFromTheMiddleOfAMessage() {
        ByteString message = ByteString.copyFromUtf8("before").concat(WireNames.field(chain));

        BlockChain received = WireNames.chain(PARTITION.root(), message.substring(6));

        assertThat(received.size()).isEqualTo(3);
        assertThat(received.hash(0)).isEqualTo(chain.hash(0));
        assertThat(WireNames.field(received)).isEqualTo(WireNames.field(chain));
    }

    @Property(tries = 200)
    void aChainIsReadFromWhateverPiecesAMessageCameIn(
            @ForAll @Size(max = 8) List<@IntRange(max = 40 * BlockHash.BYTES) Integer> cuts) {
        BlockChain whole =
                BlockChain.of(PARTITION, Tokens.of(IntStream.range(0, 80).toArray()));
        ByteString hashes = WireNames.field(whole);

        BlockChain received = WireNames.chain(PARTITION.root(), inPieces(hashes, cuts));

        assertThat(received.size()).isEqualTo(40);
        for (int i = 0; i < 40; i++) {
            assertThat(received.hash(i)).isEqualTo(whole.hash(i));
            assertThat(received.head(i)).isEqualTo(whole.head(i));
        }
        assertThat(WireNames.field(received)).isEqualTo(hashes);
        assertThat(WireNames.field(received.prefix(2))).isEqualTo(hashes.substring(0, 64));
        assertThat(WireNames.field(received.prefix(1).kept().whole())).isEqualTo(hashes);
        assertThatThrownBy(() -> received.prefix(2).hash(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** The same bytes; those of 128 and more that are put together stay pieces. */
    private static ByteString inPieces(ByteString bytes, List<Integer> cuts) {
        ByteString pieces = ByteString.EMPTY;
        int from = 0;
        for (int cut : cuts.stream().sorted().toList()) {
            pieces = pieces.concat(bytes.substring(from, cut));
            from = cut;
        }
        return pieces.concat(bytes.substring(from));
    }

    @Test
    void aKeptChainOutlivesTheMemoryItWasReadFrom() {
        byte[] network = WireNames.field(chain).toByteArray();
        BlockChain received = WireNames.chain(PARTITION.root(), UnsafeByteOperations.unsafeWrap(network));
        BlockChain kept = received.prefix(2).kept();

        Arrays.fill(network, (byte) 7);

        assertThat(received.hash(1)).isNotEqualTo(chain.hash(1));
        assertThat(kept.hash(1)).isEqualTo(chain.hash(1));
        assertThat(kept.size()).isEqualTo(2);
        assertThat(kept.whole().hash(2)).isEqualTo(chain.hash(2));
    }

    @Test
    void halfAHashIsRefused() {
        assertThatThrownBy(() -> WireNames.chain(PARTITION.root(), ByteString.copyFrom(new byte[33])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("block_hashes: 33 bytes are no multiple of 32");
    }

    @Test
    void extrasArePartOfTheirBlocksNames() {
        BlockChain plain = BlockChain.of(PARTITION, PROMPT, List.of(NO_EXTRA, NO_EXTRA, NO_EXTRA));
        BlockChain other =
                BlockChain.of(PARTITION, PROMPT, List.of(NO_EXTRA, ByteBuffer.wrap("image".getBytes(UTF_8)), NO_EXTRA));

        assertThat(WireNames.field(plain)).isEqualTo(WireNames.field(chain));
        assertThat(other.hash(0)).isEqualTo(chain.hash(0));
        assertThat(other.hash(1)).isNotEqualTo(chain.hash(1));
        assertThat(other.hash(2)).isNotEqualTo(chain.hash(2));
    }

    @Test
    void extrasAreOnePerWholeBlockOrNone() {
        assertThatThrownBy(() -> BlockChain.of(PARTITION, PROMPT, List.of(NO_EXTRA)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("extras: 1 entries for 3 whole blocks; give one per block or none");
    }

    @Test
    void aChainIsTheBytesThatItGives() {
        BlockChain chain = BlockChain.of(PARTITION, Tokens.of(1, 2, 3, 4, 5, 6));
        ByteBuffer bytes = chain.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);

        BlockChain received = BlockChain.ofHashes(PARTITION.root(), List.of(bytes));

        assertThat(received.hash(chain.size() - 1)).isEqualTo(chain.hash(chain.size() - 1));
        assertThat(bytes.remaining()).isEqualTo(chain.size() * BlockHash.BYTES);
    }
}
